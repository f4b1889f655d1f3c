import { type Order, orderPath } from './order.ts'

export const LiveNote = ({ order }: { readonly order: Order }) => (
  <p class="hint" id="live" data-state={order.state} data-at={`${orderPath(order)}/state`} hidden>
    This page updates automatically.
  </p>
)
