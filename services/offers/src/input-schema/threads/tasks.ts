// What the service's thread and a worker thread say to each other. Schemas and values travel as JSON text:
// one string costs the sender less than a structured clone of many objects.
import type { Problem } from '../problem.ts'

export type WarmUp = { kind: 'warm up' }
export type Learn = { kind: 'learn'; hash: string; schemaText: string }
/** `whole`: the values are all there are, and the root holds for them as well. */
export type Validate = { kind: 'validate'; hash: string; valuesText: string; whole: boolean }

/** `secret`: the properties that may hold a password. `forgotten`: the schemas that made room for this one. */
export type Learned = { kind: 'learned'; properties: string[]; secret: string[]; forgotten: string[] }
export type Refused = { kind: 'refused'; problems: Problem[] }
/** An empty list: the values are valid. `tooExpensive`: one of the problems is that they take too many steps. */
export type Checked = { kind: 'checked'; problems: Problem[]; tooExpensive: boolean }
export type Unknown = { kind: 'unknown' }
/** A defect of this service, not of what was sent. */
export type Fault = { kind: 'fault'; message: string }

export type Task = WarmUp | Learn | Validate
export type Reply = Learned | Refused | Checked | Unknown | Fault

/**
 * How much a worker thread may keep compiled, for how many steps it may evaluate the values of one task, and where it
 * writes its id.
 */
export type WorkerLimits = {
  maxSchemas: number
  maxSchemaBytes: number
  maxSteps: number
  threadId: Int32Array
}
