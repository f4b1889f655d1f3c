/** For people on both sides of an order. */
import { sellerPath } from '../../store/order/parties.ts'

interface SidesNavProps {
  readonly id: string
  readonly side: 'customer' | 'seller'
}

export const SidesNav = ({ id, side }: SidesNavProps) => (
  <nav class="tabs" aria-label="Sides of the order">
    <a href={`/orders/${id}`} aria-current={side === 'customer' ? 'page' : undefined}>
      As the customer
    </a>
    <a href={sellerPath(id)} aria-current={side === 'seller' ? 'page' : undefined}>
      As the seller
    </a>
  </nav>
)
