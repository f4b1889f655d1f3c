/** Says that a page follows its order, where the script that does so runs. */
import type { OrderState } from '@svc/contract/offers/orders'

export const LiveNote = ({ state }: { readonly state: OrderState }) => (
  <p class="hint" id="live" data-state={state} hidden>
    This page updates automatically.
  </p>
)
