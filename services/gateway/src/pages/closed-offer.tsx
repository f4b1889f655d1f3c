/** Pages of an offer that cannot be ordered, or not by who looks at it. */
import { Form } from './form.tsx'
import { Page } from './layout.tsx'
import type { OwnOrder } from './resolve-offer.ts'
import { signInPath, signUpPath } from './return-to.ts'
import type { Visit } from './visit.ts'

interface OfferProps {
  readonly visit: Visit
  readonly hash: string
  readonly name: string
}

export function SignInFirst({ visit, hash, name }: OfferProps) {
  const path = `/i/${hash}`
  return (
    <Page title={name} visit={visit}>
      <h1 class="long">{name}</h1>
      <p>You have been sent an offer. Sign in to see the offer: what it holds, and what it costs.</p>
      <p class="actions">
        <a class="button" href={signInPath(path)}>
          Sign in
        </a>
        <a class="button second" href={signUpPath(path)}>
          Create an account
        </a>
      </p>
    </Page>
  )
}

/** Neither its state nor what it says. */
export function NotForYou({ visit, hash, name }: OfferProps) {
  return (
    <Page title="This offer is not for you" visit={visit}>
      <h1>This offer is not for you</h1>
      <p>
        The offer <strong class="long">{name}</strong> is for certain people, named by their e-mail addresses.
        You are signed in as <strong class="long">{visit.person?.email}</strong>, which is none of them.
      </p>
      <p>If you have an account with another address, use that one. Else ask the seller.</p>
      <Form action="/sign-out" csrf={visit.csrf} hidden={{ return_to: `/i/${hash}` }}>
        <p class="actions">
          <button type="submit" class="button">
            Use another account
          </button>
        </p>
      </Form>
    </Page>
  )
}

interface ClosedOfferProps extends OfferProps {
  readonly state: 'held' | 'exhausted' | 'expired' | 'revoked'
  /** The person's own. */
  readonly order: OwnOrder | undefined
}

export function ClosedOffer({ visit, hash, name, state, order }: ClosedOfferProps) {
  const { title, text } = texts[state]
  return (
    <Page title={title} visit={visit}>
      <h1>{title}</h1>
      <p>
        <strong class="long">{name}</strong>
      </p>
      <p>{text}</p>
      {order && <p class="notice">You have ordered from this offer.</p>}
      {(order || state === 'held') && (
        <p class="actions">
          {order && (
            <a class="button" href={`/orders/${order.id}`}>
              See your order
            </a>
          )}
          {state === 'held' && (
            <a class="button second" href={`/i/${hash}`}>
              Look again
            </a>
          )}
        </p>
      )}
    </Page>
  )
}

const texts = {
  held: {
    title: 'No place is free right now',
    text: 'Orders that are under way hold all places of this offer. When one of them ends without an install, its place is free again: look again later.',
  },
  exhausted: {
    title: 'This offer is used up',
    text: 'It has been used as often as it may be. Ask the seller for another one.',
  },
  expired: {
    title: 'This offer has expired',
    text: 'Its time is over. Ask the seller for another one.',
  },
  revoked: {
    title: 'This offer was withdrawn',
    text: 'The seller has taken it back. Ask them for another one.',
  },
} as const
