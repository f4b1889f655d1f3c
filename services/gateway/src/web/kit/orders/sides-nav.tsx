import { type Order, orderPath, receivedPath } from './order.ts'

interface SidesNavProps {
  readonly order: Order
  readonly side: 'customer' | 'seller'
}

export const SidesNav = ({ order, side }: SidesNavProps) => (
  <nav class="tabs" aria-label="Sides of the order">
    <a href={orderPath(order)} aria-current={side === 'customer' ? 'page' : undefined}>
      As the customer
    </a>
    <a href={receivedPath(order)} aria-current={side === 'seller' ? 'page' : undefined}>
      As the seller
    </a>
  </nav>
)
