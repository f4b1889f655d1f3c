// Threads that the test files of a worker share, since each takes some 0.4 s of processor to come up.
import { createInputSchemas, type InputSchemas } from '../../src/input-schema/input-schemas.ts'
import { patientLimits } from './patient-limits.ts'

const shared: InputSchemas[] = []

/** Those of a replica: what one replica has compiled, the other one has not. To close them is left to the worker's end. */
export function sharedSchemas(replica = 0): InputSchemas {
  shared[replica] ??= createInputSchemas(patientLimits)
  return { ...shared[replica], close: async () => {} }
}
