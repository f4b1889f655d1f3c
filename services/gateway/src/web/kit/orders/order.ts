import type { operation } from '@svc/contract/offers/orders/get-order'
import type { z } from 'zod'
import { consoleRoot } from '../visit/console-root.ts'

export type Order = z.output<typeof operation.output>

/** Where the customer reads it, and whoever has nothing but its id is led on. */
export const orderPath = ({ id }: Pick<Order, 'id'>): string => `/orders/${id}`

/** Where the seller reads and decides it. */
export const receivedPath = ({
  id,
  seller_workspace_id,
}: Pick<Order, 'id' | 'seller_workspace_id'>): string => `${consoleRoot(seller_workspace_id)}/orders/${id}`
