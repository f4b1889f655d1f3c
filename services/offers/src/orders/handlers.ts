import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { approveOrder } from './approve-order.ts'
import { cancelOrder } from './cancel-order.ts'
import { createOrder } from './create-order.ts'
import { findLatestOrder } from './find-latest-order.ts'
import { findOrderWorkspace } from './find-order-workspace.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'
import { readOrderFacts } from './read-order-facts.ts'
import { rejectOrder } from './reject-order.ts'
import { submitOrder } from './submit-order.ts'

export const ordersHandlers = {
  create_order: createOrder,
  list_orders: listOrders,
  get_order: getOrder,
  submit_order: submitOrder,
  cancel_order: cancelOrder,
  approve_order: approveOrder,
  reject_order: rejectOrder,
  find_order_workspace: findOrderWorkspace,
  find_latest_order: findLatestOrder,
  read_order_facts: readOrderFacts,
} satisfies Partial<Handlers<typeof offers, Deps>>
