import type { Answer } from '../ui/answers.ts'

type Terms = Answer<'get_offer'>['terms']

export const checkoutText = (checkout: Terms['checkout']): string =>
  checkout === 'required' ? 'Required before install' : 'Collected outside svc'

export function paymentText({ commercial_mode, price, checkout }: Terms): string {
  if (commercial_mode !== 'paid') return 'Not charged: test'
  return price?.unit_amount ? checkoutText(checkout) : 'Nothing to pay'
}
