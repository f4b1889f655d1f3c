import type { offers } from '@svc/contract/offers/offers'
import type { Reply } from '@svc/contract/core/operation'
import { hideSealed } from '../sealing/sealed-values.ts'

export type Order = Reply<typeof offers.operations.get_order>['body']

export const orderOf = (view: Order): Order =>
  view.field_values ? { ...view, field_values: hideSealed(view.field_values) } : view
