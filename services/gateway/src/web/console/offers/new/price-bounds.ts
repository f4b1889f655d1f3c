import type { ChannelPolicy } from '@svc/contract/offers/offers'
import { money } from '../../../kit/offers/terms-view.tsx'
import { amountText } from '../../../kit/forms/money.ts'

type Range = Extract<ChannelPolicy['pricing'], { kind: 'range' }>

export function priceBounds({ min_unit_amount, max_unit_amount, currencies, default_price }: Range): string {
  // The amounts are the same in each currency.
  const [currency, ...others] = currencies
  const bound = (unit_amount: number) =>
    currency && others.length === 0 ? money({ currency, unit_amount }) : amountText(unit_amount)
  return `Between ${bound(min_unit_amount)} and ${bound(max_unit_amount)}, set by the terms. Leave blank for ${money(default_price)} per ${default_price.interval}.`
}
