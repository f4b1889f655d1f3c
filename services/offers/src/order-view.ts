/** An order as the SQL function `order_view` prints it, for the seller and the customer alike. */
import type { offers } from '@svc/contract/offers'
import type { Reply } from '@svc/contract/operation'

export type Order = Reply<typeof offers.operations.get_order>['body']
