import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import { outboxHandlers } from '@svc/runtime/outbox/read-events'
import { channelsHandlers } from './catalogue/channels/handlers.ts'
import { packagesHandlers } from './catalogue/packages/handlers.ts'
import { productsHandlers } from './catalogue/products/handlers.ts'
import { checkoutHandlers } from './checkout/handlers.ts'
import { clustersHandlers } from './clusters/handlers.ts'
import type { Deps } from './deps.ts'
import { installsHandlers } from './installs/handlers.ts'
import { offersHandlers } from './offers/handlers.ts'
import { ordersHandlers } from './orders/handlers.ts'
import { quotasHandlers } from './quotas/handlers.ts'
import { sealingHandlers } from './sealing/handlers.ts'

export const handlers: Handlers<typeof offers, Deps> = {
  ...offersHandlers,
  ...ordersHandlers,
  ...checkoutHandlers,
  ...installsHandlers,
  ...sealingHandlers,
  ...packagesHandlers,
  ...productsHandlers,
  ...channelsHandlers,
  ...clustersHandlers,
  ...quotasHandlers,
  ...outboxHandlers,
}
