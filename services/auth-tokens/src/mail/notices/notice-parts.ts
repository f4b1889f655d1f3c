import { plainAddress, quotable } from '../quotable.ts'
import type { NoticeFacts } from './notice.ts'

const absolute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** @param at Unix seconds */
export const timeText = (at: number | null | undefined): string =>
  at === null || at === undefined ? 'never' : `${absolute.format(at * 1000)} UTC`

export function priceText({ price, is_test }: NoticeFacts): string {
  if (!price) return is_test ? 'Free (test offer)' : 'Free'
  const { unit_amount, currency, interval } = price
  const format = new Intl.NumberFormat('en-IE', { style: 'currency', currency: currency.toUpperCase() })
  const text = unit_amount === 0 ? 'Free' : `${format.format(unit_amount / 100)} per ${interval}`
  return is_test ? `${text} (test offer, not charged)` : text
}

/** Defuses names that could pretend to be our text. */
export const nameText = (name: string | null | undefined): string => quotable(name ?? '')

/** As subjects have it, which mail programs cut off. */
export function saleText(product: string | undefined, seller: string | null): string {
  const [what, who] = [product, seller].map(name => {
    const letters = [...nameText(name)]
    return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : letters.join('')
  })
  return who ? `${what} from ${who}` : `${what}`
}

export const addressText = (address: string | null | undefined, otherwise: string): string =>
  address && plainAddress.test(address) ? address : otherwise

export const orderPath = ({ order_id = '' }: NoticeFacts): string => `/orders/${encodeURIComponent(order_id)}`
