import { httpOperations } from './http-operations.ts'
import { service } from '../core/operation.ts'
import { matchOperations } from '../core/matches.ts'
import { quotaOperations } from '../core/quotas.ts'
import { sealingOperations } from '../core/sealing.ts'

export const activity = service('activity', {
  ...httpOperations,
  ...sealingOperations,
  ...quotaOperations,
  ...matchOperations,
})
