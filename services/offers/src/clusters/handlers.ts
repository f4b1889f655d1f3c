import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { closeCluster } from './close-cluster.ts'

export const clustersHandlers = {
  close_cluster: closeCluster,
} satisfies Partial<Handlers<typeof offers, Deps>>
