import { Form } from '../../kit/forms/form.tsx'
import { Page } from '../../kit/page/layout.tsx'
import { dateText } from '../../kit/ui/moments.ts'
import type { OwnOrder, Summary } from './resolve-offer.ts'
import { OfferFacts, Price, Seller } from './seller-view.tsx'
import { linkPath, signInPath } from '../../kit/visit/return-to.ts'
import type { Visit } from '../../kit/visit/visit.ts'

interface OfferProps {
  readonly visit: Visit
  readonly hash: string
  readonly name: string
}

interface SignInFirstProps extends OfferProps {
  readonly summary: Summary | null
  readonly now: number
}

export function SignInFirst({ visit, hash, name, summary, now }: SignInFirstProps) {
  const path = `/i/${hash}`
  return (
    <Page title={name} visit={visit}>
      <h1 class="long">{name}</h1>
      {summary ? (
        <>
          <Seller seller={summary.seller} />
          <Price terms={summary.terms} />
          <OfferFacts
            terms={summary.terms}
            seatsLeft={summary.seats_left}
            expiresAt={summary.expires_at}
            now={now}
          />
          <p>Sign in to order, or create an account.</p>
        </>
      ) : (
        <p>You have been sent an offer. Sign in to see what it includes and what it costs.</p>
      )}
      <p class="actions">
        <a class="button" href={signInPath(path)}>
          Sign in
        </a>
        <a class="button second" href={linkPath('/sign-up', path)}>
          Create an account
        </a>
      </p>
    </Page>
  )
}

export function NotForYou({ visit, hash, name }: OfferProps) {
  return (
    <Page title="This offer is for another account" visit={visit}>
      <h1>This offer is for another account</h1>
      <p>
        The offer <strong class="long">{name}</strong> is limited to certain email addresses. You are signed
        in as <strong class="long">{visit.person?.email}</strong>, which is not one of them.
      </p>
      <p>If you have another account, sign in with that one. Otherwise, ask the seller.</p>
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
  /** Unix seconds; null: never. */
  readonly expires_at: number | null
  readonly order: OwnOrder | undefined
  readonly seller: Summary['seller'] | undefined
}

export function ClosedOffer({ visit, hash, name, state, expires_at, order, seller }: ClosedOfferProps) {
  const { title, text } = texts[state]
  return (
    <Page title={title} visit={visit}>
      <h1>{title}</h1>
      <p>
        <strong class="long">{name}</strong>
      </p>
      <p>
        {state === 'expired' && expires_at !== null && `It expired on ${dateText(expires_at)}. `}
        {text}
      </p>
      {seller && <Seller seller={seller} />}
      {order && <p class="notice">You have already ordered from this offer.</p>}
      {(order || state === 'held') && (
        <p class="actions">
          {order && (
            <a class="button" href={`/orders/${order.id}`}>
              View your order
            </a>
          )}
          {state === 'held' && (
            <a class="button second" href={`/i/${hash}`}>
              Refresh
            </a>
          )}
        </p>
      )}
    </Page>
  )
}

const texts = {
  held: {
    title: 'This offer is fully reserved right now',
    text: 'Orders in progress have reserved all that is left. If one of them is cancelled or expires, you can order here. Please check back later.',
  },
  exhausted: {
    title: 'This offer is sold out',
    text: 'Nothing is left of it. Ask the seller for a new one.',
  },
  expired: {
    title: 'This offer has expired',
    text: 'Ask the seller for a new one.',
  },
  revoked: {
    title: 'This offer was revoked',
    text: 'The seller has revoked it. Ask them for a new one.',
  },
} as const
