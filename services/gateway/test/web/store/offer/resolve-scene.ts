// Offers for all kinds of customers and in all states, and people with their credentials.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { type Answered, ask } from '../../../answers.ts'
import { startGatewayHere } from '../../../gateway-here.ts'
import { audience, startOutsideProvider } from '../../../edge/jwt/outside-provider.ts'

export interface Person {
  readonly email: string
  readonly user_id: string
  readonly session: string
  readonly jwt: string
}

export interface Offer {
  readonly id: string
  readonly short_hash: string
}

/** In an order that results neither from sorting by name nor by length. */
export const input_schema = {
  type: 'object',
  required: ['zone'],
  properties: { zone: { type: 'string' }, a: { type: 'integer', minimum: 1 }, middle: { type: 'boolean' } },
}
export const names = { product: 'Product <b>', package: 'Package' }
const field_values = { zone: { value: 'eu', locked: true }, a: { value: 3, locked: false } }
const notes = 'Welcome, & thank you.'

export const listNames = [
  'open',
  'on the list',
  'on the list in other case',
  'other address',
  'address not verified any more',
] as const
export type ListName = (typeof listNames)[number]

export const stateNames = ['active', 'expired', 'exhausted', 'revoked', 'seats held'] as const
export type StateName = (typeof stateNames)[number]

export type ResolveScene = Awaited<ReturnType<typeof startResolveScene>>

export async function startResolveScene() {
  const provider = await startOutsideProvider()
  const trusted = [{ issuer: provider.issuer, audience, jwks_uri: provider.jwksUri }]
  const stack = await joinProduct()
  const trusting = await startGatewayHere(stack, { trusted: JSON.stringify(trusted) })
  const baseUrls = [...stack.baseUrls, `${trusting.url}/v1`]
  // With an address that is verified, and with one that used to be.
  const [person, former] = [await newPerson(), await newPerson()]
  await stack.sql`update auth_tokens.users set verified_at = null where id = ${former.user_id}`
  const [{ name: sellerName } = {}] = await stack.sql`
    select name from auth_tokens.workspaces where id = ${stack.dev.workspace_id}`
  const catalogue = await newCatalogue()
  const token = await provider.token({ email: person.email, email_verified: true })
  // On a busy machine it is read at the second attempt.
  const keysRead = async () => (await resolve('111111111111', token, baseUrls.length - 1)).status === 404
  await waitUntil('the keys of the issuer', keysRead, { everyMs: 100 })

  async function newPerson(): Promise<Person> {
    const caller = { kind: 'internal', id: 'test' } as const
    const email = `${newId('user')}@buyer.example`
    const password = 'of no use here'
    const { id: user_id } = await invoke(stack.backoffice, authTokens, 'put_user', {
      caller,
      body: { email, password },
    })
    await invoke(stack.backoffice, authTokens, 'verify_user', { caller, body: { email } })
    const { token } = await invoke(stack.backoffice, authTokens, 'create_session', {
      caller,
      body: { user_id },
    })
    const answer = await fetch(new URL('/oauth/token', stack.dev.base_url), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    return { email, user_id, session: token, jwt: access_token }
  }

  async function seller(method: string, path: string, body?: object) {
    const send = () =>
      ask(`${stack.dev.base_url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${stack.dev.api_token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      })
    let answer = await send()
    // Files that share the product may have taken all places where schemas are checked.
    while (answer.status === 503) answer = await send()
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return JSON.parse(answer.text) as Record<'id' | 'short_hash', string>
  }

  async function newCatalogue() {
    const { id: package_id } = await seller('POST', '/packages', { name: names.package })
    const version = { version: '1.2.3', input_schema }
    const { id: version_id } = await seller('POST', `/packages/${package_id}/versions`, version)
    const product = { name: names.product, package_id, current_package_version_id: version_id }
    const { id: product_id } = await seller('POST', '/products', product)
    const { id: offer_channel_id } = await seller('POST', '/offer_channels', { product_id, name: 'Channel' })
    const pricing = { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 4900 }
    const policy = {
      approval: 'manual',
      checkout: 'required',
      support: 'gold',
      pricing,
      allow_non_billable_test: false,
    }
    await seller('POST', `/offer_channels/${offer_channel_id}/policies`, { policy, activate: true })
    return { package_id, version_id, product_id, offer_channel_id }
  }

  /** For whom an offer may be. The address of `former` used to be verified. */
  const lists: Record<ListName, () => string[]> = {
    open: () => [],
    'on the list': () => ['someone@example.com', person.email],
    'on the list in other case': () => [person.email.toUpperCase()],
    'other address': () => [`x${person.email}`, 'someone@example.com'],
    'address not verified any more': () => [former.email],
  }

  /** The states of an offer, and what an entitled customer sees. */
  const states: Record<StateName, { become(offer: Offer): Promise<unknown>; expected: [string, boolean] }> = {
    active: { become: async () => {}, expected: ['active', true] },
    expired: {
      become: ({ id }) => stack.sql`update offers.offers set expires_at = 1000 where id = ${id}`,
      expected: ['expired', false],
    },
    exhausted: {
      become: ({ id }) => stack.sql`update offers.offers set redeemed = max_uses where id = ${id}`,
      expected: ['exhausted', false],
    },
    revoked: { become: ({ id }) => seller('POST', `/offers/${id}/revoke`), expected: ['revoked', false] },
    'seats held': {
      become: ({ id }) => stack.sql`
        insert into offers.orders (
          id, workspace_id, offer_id, customer_workspace_id, holder, state, expires_at, created_at, updated_at
        )
        values (
          ${newId('order')}, ${stack.dev.workspace_id}, ${id}, ${newId('ws')}, ${newId('user')}, 'open',
          ${Date.now() + 3_600_000}, now(), now()
        )`,
      expected: ['active', false],
    },
  }

  async function newOffer(list: ListName, state: StateName): Promise<Offer> {
    const { product_id, offer_channel_id } = catalogue
    const offer = await seller('POST', '/offers', {
      product_id,
      offer_channel_id,
      allowed_emails: lists[list](),
      field_values,
      notes,
      internal_note: 'internal',
      customer: { display_name: 'Customer' },
      order_ttl_minutes: 30,
    })
    await states[state].become(offer)
    return offer
  }

  /** What entitled customers see. */
  const whole = (state: StateName) => {
    const [expected, seat_available] = states[state].expected
    return {
      state: expected,
      seat_available,
      product: { id: catalogue.product_id, name: names.product },
      package: { id: catalogue.package_id, name: names.package },
      package_version: { id: catalogue.version_id, version: '1.2.3' },
      notes,
      terms: {
        approval: 'manual',
        checkout: 'required',
        support: 'gold',
        commercial_mode: 'paid',
        price: { currency: 'eur', unit_amount: 4900, interval: 'month' },
        entitlements: {},
        licence_days: 30,
        grace_days: 7,
      },
      input_schema,
      field_values,
      expires_at: state === 'expired' ? 1000 : null,
      order_ttl_minutes: 30,
    }
  }

  /** What everybody sees of an offer that is open to any customer. */
  const summary = (state: StateName) => {
    const { terms, expires_at, state: now } = whole(state)
    const seats_left = state === 'exhausted' || state === 'seats held' ? 0 : 1
    return { seller: { name: sellerName, support_email: null }, state: now, seats_left, terms, expires_at }
  }

  /** The gateway at `trustingAt` trusts the provider. */
  function resolve(short_hash: string, credential?: string, gateway = 0, method = 'GET'): Promise<Answered> {
    return ask(`${baseUrls[gateway]}/i/${short_hash}`, {
      method,
      headers: credential ? { authorization: `Bearer ${credential}` } : {},
    })
  }

  return {
    stack,
    provider,
    trustingAt: baseUrls.length - 1,
    person,
    former,
    newPerson,
    seller,
    catalogue,
    newOffer,
    whole,
    summary,
    resolve,
    async stop() {
      await trusting.stop()
      await stack.stop()
      await provider.stop()
    },
  }
}
