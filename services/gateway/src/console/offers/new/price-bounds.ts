import type { ChannelPolicy } from '@svc/contract/offers/offers'

type Range = Extract<ChannelPolicy['pricing'], { kind: 'range' }>

export const amountText = (unitAmount: number): string =>
  (unitAmount / 100).toLocaleString('en', { minimumFractionDigits: 2 })

/** What the policy of a channel allows. */
export const priceBounds = ({ min_unit_amount, max_unit_amount, default_price }: Range): string =>
  `From ${amountText(min_unit_amount)} to ${amountText(max_unit_amount)}, as the channel’s policy allows. Empty: ${amountText(default_price.unit_amount)} ${default_price.currency.toUpperCase()} a ${default_price.interval}.`
