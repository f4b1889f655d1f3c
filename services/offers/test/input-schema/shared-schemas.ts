// Threads that the test files of a worker share, since starting one takes some 0.4 s of processor time.
import { createInputSchemas, type InputSchemas } from '../../src/input-schema/input-schemas.ts'
import { patientLimits } from './patient-limits.ts'

const shared: InputSchemas[] = []

/** One set for each replica: what one has compiled, the other has not. They are never closed: the worker ends them. */
export function sharedSchemas(replica = 0): InputSchemas {
  shared[replica] ??= createInputSchemas(patientLimits)
  return { ...shared[replica], close: async () => {} }
}
