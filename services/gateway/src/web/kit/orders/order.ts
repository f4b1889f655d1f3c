import type { operation } from '@svc/contract/offers/orders/get-order'
import type { z } from 'zod'
import { consoleRoot } from '../visit/console-root.ts'

export type Order = z.output<typeof operation.output>

/** The customer's page; others who know its id are redirected. */
export const orderPath = ({ id }: Pick<Order, 'id'>): string => `/orders/${id}`

export const receivedPath = ({
  id,
  seller_workspace_id,
}: Pick<Order, 'id' | 'seller_workspace_id'>): string => `${consoleRoot(seller_workspace_id)}/orders/${id}`
