// GET /i/{short_hash}: who asks × whom the offer is for × what became of it.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import { createApiToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { type TestStack, startTestStack } from '@svc/testing/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal, refused } from './answers.ts'
import { audience, type OutsideProvider, startOutsideProvider } from './outside-provider.ts'

let provider: OutsideProvider
let stack: TestStack
/** With an address that is verified, and with one that was. */
let person: Person
let former: Person

interface Person {
  readonly email: string
  readonly user_id: string
  readonly session: string
  readonly jwt: string
}

beforeAll(async () => {
  provider = await startOutsideProvider()
  const trusted = [{ issuer: provider.issuer, audience, jwks_uri: provider.jwksUri }]
  stack = await startTestStack({
    replicas: { gateway: 2, offers: 2 },
    env: { TRUSTED_ISSUERS: JSON.stringify(trusted) },
  })
  person = await newPerson()
  former = await newPerson()
  await stack.sql`update auth_tokens.users set verified_at = null where id = ${former.user_id}`
  catalogue = await newCatalogue()
  for (const list of Object.keys(lists)) {
    for (const state of Object.keys(states)) offers.set(`${list} ${state}`, await newOffer(list, state))
  }
})
afterAll(async () => {
  await stack?.stop()
  await provider?.stop()
})

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
  const answer = await ask(`${stack.dev.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${stack.dev.api_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  return JSON.parse(answer.text) as Record<'id' | 'short_hash', string>
}

/** In an order that neither sorting by name nor by length gives. */
const input_schema = {
  type: 'object',
  required: ['zone'],
  properties: { zone: { type: 'string' }, a: { type: 'integer', minimum: 1 }, middle: { type: 'boolean' } },
}
let catalogue: { product_id: string; package_id: string; version_id: string; offer_channel_id: string }
const names = { product: 'Product <b>', package: 'Package' }

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

interface Offer {
  readonly id: string
  readonly short_hash: string
}

/** For whom an offer may be; of `former` the address was verified once. */
const lists: Record<string, () => string[]> = {
  open: () => [],
  'on the list': () => ['somebody@example.com', person.email],
  'on the list in other case': () => [person.email.toUpperCase()],
  'other address': () => [`x${person.email}`, 'somebody@example.com'],
  'address not verified any more': () => [former.email],
}

/** What becomes of an offer, and what an entitled customer is told of it. */
const states: Record<string, { become(offer: Offer): Promise<unknown>; told: [string, boolean] }> = {
  active: { become: async () => {}, told: ['active', true] },
  expired: {
    become: ({ id }) => stack.sql`update offers.offers set expires_at = 1000 where id = ${id}`,
    told: ['expired', false],
  },
  exhausted: {
    become: ({ id }) => stack.sql`update offers.offers set redeemed = max_uses where id = ${id}`,
    told: ['exhausted', false],
  },
  revoked: { become: ({ id }) => seller('POST', `/offers/${id}/revoke`), told: ['revoked', false] },
  'seats held': {
    become: ({ id }) => stack.sql`
      insert into offers.orders (
        id, workspace_id, offer_id, customer_workspace_id, holder, state, expires_at, created_at, updated_at
      )
      values (
        ${newId('order')}, ${stack.dev.workspace_id}, ${id}, ${newId('ws')}, ${newId('user')}, 'open',
        ${Date.now() + 3_600_000}, now(), now()
      )`,
    told: ['active', false],
  },
}

const offers = new Map<string, Offer>()

const field_values = { zone: { value: 'eu', locked: true }, a: { value: 3, locked: false } }
const notes = 'Welcome, & thank you.'

async function newOffer(list: string, state: string): Promise<Offer> {
  const { product_id, offer_channel_id } = catalogue
  const offer = await seller('POST', '/offers', {
    product_id,
    offer_channel_id,
    allowed_emails: lists[list]?.(),
    field_values,
    notes,
    internal_note: 'internal',
    customer: { display_name: 'Customer' },
    order_ttl_minutes: 30,
  })
  await states[state]?.become(offer)
  return offer
}

const whole = (state: string) => {
  const [told, seat_available] = states[state]?.told ?? []
  return {
    state: told,
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
    },
    input_schema,
    field_values,
    expires_at: state === 'expired' ? 1000 : null,
    order_ttl_minutes: 30,
  }
}

const resolve = (short_hash: string, credential?: string, gateway = 0, method = 'GET'): Promise<Answered> =>
  ask(`${stack.baseUrls[gateway]}/i/${short_hash}`, {
    method,
    headers: credential ? { authorization: `Bearer ${credential}` } : {},
  })

/** Who asks; `is`: what follows from it. */
const askers: Record<
  string,
  { is: 'nobody' | 'token' | 'person' | 'invalid'; credential(who: Person): string }
> = {
  nobody: { is: 'nobody', credential: () => '' },
  'an API token': { is: 'token', credential: () => stack.dev.other_api_token },
  'an API token of the seller': { is: 'token', credential: () => stack.dev.api_token },
  'a session': { is: 'person', credential: who => who.session },
  'a JWT': { is: 'person', credential: who => who.jwt },
  'an unknown API token': { is: 'invalid', credential: () => createApiToken() },
  'a credential that is none': { is: 'invalid', credential: () => 'nonsense' },
  'a JWT that is none': { is: 'invalid', credential: () => 'eyJh.eyJh.eyJh' },
}

describe.each(Object.keys(lists))('an offer with the allowlist: %s', list => {
  describe.each(Object.keys(states))('%s', state => {
    test.each(Object.entries(askers))(
      'is answered to %s as they may know it',
      async (_, { is, credential }) => {
        const who = list === 'address not verified any more' ? former : person
        const { short_hash = '' } = offers.get(`${list} ${state}`) ?? {}
        for (const gateway of [0, 1]) {
          const answer = await resolve(short_hash, credential(who), gateway)
          if (is === 'invalid') {
            expectRefusal(answer, refused('Unauthorized', 40102))
            continue
          }
          const entitled =
            is !== 'nobody' && (list === 'open' || (is === 'person' && list.startsWith('on the list')))
          expect([answer.status, JSON.parse(answer.text)]).toEqual([
            200,
            {
              name: names.product,
              sign_in_required: is === 'nobody',
              offer: entitled ? whole(state) : null,
            },
          ])
          expect(answer.headers.get('cache-control')).toBe('no-store')
        }
      },
    )
  })
})

const offerIn = ({ text }: Answered) => JSON.parse(text).offer as ReturnType<typeof whole> | null

describe('the verified address', () => {
  test('is the one that the person has at this moment', async () => {
    const { short_hash } = await newOffer('on the list', 'active')
    const { user_id, email } = person
    const seen: boolean[] = []
    const look = async () => {
      for (const credential of [person.session, person.jwt])
        seen.push(offerIn(await resolve(short_hash, credential)) !== null)
    }
    const { sql } = stack
    try {
      await look()
      await sql`update auth_tokens.users set email = 'moved@buyer.example' where id = ${user_id}`
      await look()
      await sql`update auth_tokens.users set email = ${email}, verified_at = null where id = ${user_id}`
      await look()
    } finally {
      await sql`update auth_tokens.users set email = ${email}, verified_at = now() where id = ${user_id}`
    }
    await look()
    expect(seen).toEqual([true, true, false, false, false, false, true, true])
  })

  test('is that of the person for whom a JWT of an outside issuer speaks', async () => {
    const { short_hash } = await newOffer('on the list', 'active')
    const other = await newPerson()
    const token = await provider.token({ email: person.email, email_verified: true })
    expect(offerIn(await resolve(short_hash, token))).toEqual(whole('active'))
    const others = await provider.token({ email: other.email, email_verified: true })
    expect(offerIn(await resolve(short_hash, others))).toBeNull()
    const unproven = await provider.token({ email: person.email, email_verified: false })
    expectRefusal(await resolve(short_hash, unproven), refused('Unauthorized', 40102))
  })
})

test('a hash that names nothing is not found, to everybody alike, like one that cannot be', async () => {
  const texts = new Set<string>()
  for (const hash of ['111111111111', '0OIl', 'x', 'offer_01h00000000000000000000000']) {
    for (const credential of ['', stack.dev.api_token, person.session, person.jwt]) {
      const answer = await resolve(hash, credential)
      expectRefusal(answer, refused('NotFound', 40402))
      texts.add(answer.text)
    }
  }
  expect(texts.size).toBe(1)
})

test('a hash in other case is another hash', async () => {
  const { short_hash } = await newOffer('open', 'active')
  const swapped = [...short_hash]
    .map(c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
    .join('')
  expectRefusal(await resolve(swapped, person.session), refused('NotFound', 40402))
})

test('an offer without a product has the name of its package; names are those of now', async () => {
  const { version_id, package_id, product_id } = catalogue
  const bare = await seller('POST', '/offers', { package_version_id: version_id })
  const { short_hash } = await newOffer('open', 'active')
  const nameOf = async (hash: string) => JSON.parse((await resolve(hash)).text)
  expect(await nameOf(bare.short_hash)).toEqual({ name: names.package, sign_in_required: true, offer: null })
  const entitled = offerIn(await resolve(bare.short_hash, person.session))
  expect(entitled).toMatchObject({
    product: null,
    package: { id: package_id },
    notes: null,
    expires_at: null,
  })
  await seller('PATCH', `/products/${product_id}`, { name: 'Renamed' })
  try {
    expect((await nameOf(short_hash)).name).toBe('Renamed')
  } finally {
    await seller('PATCH', `/products/${product_id}`, { name: names.product })
  }
})

test('the properties of the schema are in the order in which the seller wrote them', async () => {
  const { short_hash } = await newOffer('open', 'active')
  const { text } = await resolve(short_hash, person.session)
  expect(text).toContain(`"input_schema":${JSON.stringify(input_schema)}`)
})

test('a seat is there for who holds it, and for nobody else', async () => {
  const { short_hash } = await newOffer('open', 'active')
  const other = await newPerson()
  const { base_url } = stack.dev
  const bearer = { authorization: `Bearer ${person.session}` }
  const newWorkspace = async () => {
    const body = JSON.stringify({ name: 'Buyer' })
    const headers = { ...bearer, 'content-type': 'application/json' }
    return {
      ...bearer,
      'svc-context': JSON.parse((await ask(`${base_url}/workspaces`, { method: 'POST', headers, body })).text)
        .id,
    }
  }
  const [ordering, elsewhere] = [await newWorkspace(), await newWorkspace()]
  const order = await ask(`${base_url}/i/${short_hash}/orders`, { method: 'POST', headers: ordering })
  expect(order.status).toBe(201)
  const available = async (headers: Record<string, string>) =>
    offerIn(await ask(`${base_url}/i/${short_hash}`, { headers }))?.seat_available
  const askedBy = [bearer, ordering, elsewhere, { authorization: `Bearer ${other.session}` }]
  expect(await Promise.all(askedBy.map(available))).toEqual([true, true, false, false])
  // What would be done is what is done.
  const again = await Promise.all(
    [ordering, elsewhere].map(headers =>
      ask(`${base_url}/i/${short_hash}/orders`, { method: 'POST', headers }),
    ),
  )
  expect(again.map(({ status }) => status)).toEqual([201, 409])
  await ask(`${base_url}/orders/${JSON.parse(order.text).id}/cancel`, { method: 'POST', headers: ordering })
  expect(await Promise.all(askedBy.map(available))).toEqual([true, true, true, true])
})

describe('without a credential', () => {
  const hash = () => offers.get('open active')?.short_hash ?? ''
  const url = () => `${stack.dev.base_url}/i/${hash()}`

  test.each(['Basic YTpi', 'Bearer', 'Bearer ', '', 'Token x'])(
    'an Authorization of %j is none',
    async authorization => {
      expectRefusal(await ask(url(), { headers: { authorization } }), refused('Unauthorized', 40101))
    },
  )

  test.each(['ws_01h00000000000000000000000', 'nope', ''])('Svc-Context %j means nothing', async context => {
    const answer = await ask(url(), { headers: { 'svc-context': context } })
    expect([answer.status, JSON.parse(answer.text).offer]).toEqual([200, null])
  })

  test('nothing is ordered, and there is no HEAD', async () => {
    expectRefusal(await ask(`${url()}/orders`, { method: 'POST' }), refused('Unauthorized', 40101))
    expect((await ask(url(), { method: 'HEAD' })).status).toBe(404)
    expect((await resolve(hash(), person.session, 0, 'HEAD')).status).toBe(404)
  })

  test('a query or a hash that is no id is refused', async () => {
    expectRefusal(await ask(`${url()}?as=owner`), refused('Validation', 40004))
    expectRefusal(await ask(`${stack.dev.base_url}/i/a%00b`), refused('Validation', 40004))
  })
})
