/**
 * The messages between the service's thread and a worker thread. Schemas and values travel as JSON text: one string costs
 * the sender less than a structured clone of many objects.
 */
import type { Problem } from '../problem.ts'

export interface WarmUp {
  readonly kind: 'warm up'
}
export interface Compile {
  readonly kind: 'compile'
  readonly hash: string
  readonly schemaText: string
}
export interface Validate {
  readonly kind: 'validate'
  readonly hash: string
  readonly valuesText: string
  readonly complete: boolean
}

export interface Compiled {
  readonly kind: 'compiled'
  readonly properties: string[]
  readonly secret: string[]
  readonly evicted: string[]
}
export interface Refused {
  readonly kind: 'refused'
  readonly problems: Problem[]
}
export interface Checked {
  readonly kind: 'checked'
  readonly problems: Problem[]
  readonly tooExpensive: boolean
}
export interface NotCompiled {
  readonly kind: 'not compiled'
}
export interface Fault {
  readonly kind: 'fault'
  readonly message: string
}

export type Task = WarmUp | Compile | Validate
export type Reply = Compiled | Refused | Checked | NotCompiled | Fault

export interface WorkerLimits {
  readonly maxSchemas: number
  readonly maxSchemaBytes: number
  readonly maxSteps: number
  readonly threadId: Int32Array
}

/** @throws Error for a reply of another kind, with the message of a fault */
export function expectReply<K extends Reply['kind']>(reply: Reply, kind: K): Extract<Reply, { kind: K }> {
  if (reply.kind === kind) return reply as Extract<Reply, { kind: K }>
  throw new Error(
    reply.kind === 'fault' ? reply.message : `a worker thread answered ${reply.kind}, not ${kind}`,
  )
}
