import { type ApiError, refusal } from '@svc/contract/core/errors'

/** What the SQL functions of subscriptions say instead of `done`. */
export function refuseSubscription(outcome: string): ApiError {
  if (outcome === 'not_found' || outcome === 'no_subscription') return refusal(outcome)
  if (outcome === 'paid_elsewhere') {
    return refusal('paid_elsewhere', { message: 'Stripe takes the payments of this install.' })
  }
  return refusal('wrong_state', {
    message: messages[outcome] ?? `The subscription is ${outcome}.`,
    metadata: { state: outcome },
  })
}

const messages: Readonly<Record<string, string>> = {
  ending: 'The subscription is cancelled. Resume it before you confirm a payment.',
  outdated: 'The subscription is paid to another time than `after`. Read the install again.',
  not_later: '`paid_through` must be later than what is paid already.',
}
