// GET /i/{short_hash}: who asks × whom the offer is for × its state.
import { createApiToken } from '@svc/runtime/credential'
import { everything } from '@svc/testing/size'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal, refused } from '../../../answers.ts'
import {
  input_schema,
  listNames,
  names,
  type Offer,
  type Person,
  type ResolveScene,
  startResolveScene,
  stateNames,
} from './resolve-scene.ts'

let scene: ResolveScene
let stack: Product
let person: Person
const offers = new Map<string, Offer>()

beforeAll(async () => {
  scene = await startResolveScene()
  ;({ stack, person } = scene)
  for (const list of listNames) {
    for (const state of stateNames) offers.set(`${list} ${state}`, await scene.newOffer(list, state))
  }
})
afterAll(() => scene?.stop())

/** Who asks, and what follows from that (`is`). */
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

describe.each(listNames)('an offer with the allowlist: %s', list => {
  test.each(stateNames)('%s is shown to everyone as far as they may know it', async state => {
    const who = list === 'address not verified any more' ? scene.former : person
    const { short_hash = '' } = offers.get(`${list} ${state}`) ?? {}
    await Promise.all(
      Object.entries(askers).flatMap(([asker, { is, credential }], row) =>
        // In `npm test` at one of the gateways in turn.
        (everything ? [0, 1] : [(row + stateNames.indexOf(state)) % 2]).map(async gateway => {
          const answer = await scene.resolve(short_hash, credential(who), gateway)
          if (is === 'invalid') {
            expectRefusal(answer, refused('Unauthorized', 40102))
            return
          }
          const entitled =
            is !== 'nobody' && (list === 'open' || (is === 'person' && list.startsWith('on the list')))
          expect([asker, answer.status, JSON.parse(answer.text)]).toEqual([
            asker,
            200,
            {
              name: names.product,
              sign_in_required: is === 'nobody',
              summary: list === 'open' || entitled ? scene.summary(state) : null,
              offer: entitled
                ? { ...scene.whole(state), ...(asker === 'an API token' && { seat_available: false }) }
                : null,
            },
          ])
          expect(answer.headers.get('cache-control')).toBe('no-store')
        }),
      ),
    )
  })
})

const offerIn = ({ text }: Answered) => JSON.parse(text).offer as ReturnType<ResolveScene['whole']> | null

describe('the verified address', () => {
  test('is the one that the person has at that moment', async () => {
    const { short_hash } = await scene.newOffer('on the list', 'active')
    const { user_id, email } = person
    const seen: boolean[] = []
    const look = async () => {
      for (const credential of [person.session, person.jwt])
        seen.push(offerIn(await scene.resolve(short_hash, credential)) !== null)
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

  test('is that of the person for whom a JWT of an outside issuer acts', async () => {
    const { short_hash } = await scene.newOffer('on the list', 'active')
    const other = await scene.newPerson()
    const token = await scene.provider.token({ email: person.email, email_verified: true })
    expect(offerIn(await scene.resolve(short_hash, token, scene.trustingAt))).toEqual(scene.whole('active'))
    const others = await scene.provider.token({ email: other.email, email_verified: true })
    expect(offerIn(await scene.resolve(short_hash, others, scene.trustingAt))).toBeNull()
    const unverified = await scene.provider.token({ email: person.email, email_verified: false })
    expectRefusal(
      await scene.resolve(short_hash, unverified, scene.trustingAt),
      refused('Unauthorized', 40102),
    )
  })
})

test('an unknown hash is not found, for everyone alike, and so is an impossible one', async () => {
  const texts = new Set<string>()
  for (const hash of ['111111111111', '0OIl', 'x', 'offer_01h00000000000000000000000']) {
    for (const credential of ['', stack.dev.api_token, person.session, person.jwt]) {
      const answer = await scene.resolve(hash, credential)
      expectRefusal(answer, refused('NotFound', 40402))
      texts.add(answer.text)
    }
  }
  expect(texts.size).toBe(1)
})

test('a hash in different case is another hash', async () => {
  const { short_hash } = await scene.newOffer('open', 'active')
  const swapped = [...short_hash]
    .map(c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
    .join('')
  expectRefusal(await scene.resolve(swapped, person.session), refused('NotFound', 40402))
})

test('an offer without a product has the name of its package; names are current', async () => {
  const { version_id, package_id, product_id } = scene.catalogue
  const bare = await scene.seller('POST', '/offers', { package_version_id: version_id })
  const { short_hash } = await scene.newOffer('open', 'active')
  const nameOf = async (hash: string) => JSON.parse((await scene.resolve(hash)).text)
  expect(await nameOf(bare.short_hash)).toEqual({
    name: names.package,
    sign_in_required: true,
    summary: expect.objectContaining({ state: 'active', terms: expect.objectContaining({ price: null }) }),
    offer: null,
  })
  const entitled = offerIn(await scene.resolve(bare.short_hash, person.session))
  expect(entitled).toMatchObject({
    product: null,
    package: { id: package_id },
    notes: null,
    expires_at: null,
  })
  await scene.seller('PATCH', `/products/${product_id}`, { name: 'Renamed' })
  try {
    expect((await nameOf(short_hash)).name).toBe('Renamed')
  } finally {
    await scene.seller('PATCH', `/products/${product_id}`, { name: names.product })
  }
})

test('the properties of the schema are in the order in which the seller wrote them', async () => {
  const { short_hash } = await scene.newOffer('open', 'active')
  const { text } = await scene.resolve(short_hash, person.session)
  expect(text).toContain(`"input_schema":${JSON.stringify(input_schema)}`)
})

test('a seat is available only to its holder', async () => {
  const { short_hash } = await scene.newOffer('open', 'active')
  const other = await scene.newPerson()
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
  // What the answer says is what happens.
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
    'an Authorization of %j counts as none',
    async authorization => {
      expectRefusal(await ask(url(), { headers: { authorization } }), refused('Unauthorized', 40101))
    },
  )

  test.each(['ws_01h00000000000000000000000', 'nope', ''])('Svc-Context %j is ignored', async context => {
    const answer = await ask(url(), { headers: { 'svc-context': context } })
    expect([answer.status, JSON.parse(answer.text).offer]).toEqual([200, null])
  })

  test('nothing is ordered', async () => {
    expectRefusal(await ask(`${url()}/orders`, { method: 'POST' }), refused('Unauthorized', 40101))
  })

  test('a query or an invalid hash is refused', async () => {
    expectRefusal(await ask(`${url()}?as=owner`), refused('Validation', 40004))
    expectRefusal(await ask(`${stack.dev.base_url}/i/a%00b`), refused('Validation', 40004))
  })
})
