import { httpOperations } from './http-operations.ts'
import { clusterUseOperations } from './cluster-use.ts'
import { orderLookupOperations } from './order-lookup.ts'
import { workspaceUseOperations } from './workspace-use.ts'
import { service } from '../core/operation.ts'
import { nameOperations } from '../core/names.ts'
import { matchOperations } from '../core/matches.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { sealingOperations } from '../core/sealing.ts'

export { type ChannelPolicy, channelPolicy } from './channel-policy.ts'

export const offers = service('offers', {
  ...httpOperations,
  ...orderLookupOperations,
  ...clusterUseOperations,
  ...workspaceUseOperations,
  ...sealingOperations,
  ...quotaOperations,
  ...nameOperations,
  ...matchOperations,
  ...outboxOperations,
})
