// What two devices write differently is one text: addresses on lists and at the sign-in page, names that are unique.
import { forFile } from '@svc/testing/for-file'
import { randomBytes, randomUUID } from 'node:crypto'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { newId } from '@svc/runtime/id'
import { caller, requester } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, expect, test } from 'vitest'
import { Jar } from '../../services/gateway/test/web/cookie-jar.ts'

const product = forFile(joinProduct)
let send: ReturnType<typeof requester>
const label = randomBytes(4).toString('hex')
const password = 'a good long password'
let anna: { token: string }
/** What is stored. */
let email: string

beforeAll(async () => {
  send = requester(product.baseUrls[0] ?? '')
  const body = { email: `Anna@Bücher-${label}.example`, password }
  const { id: user_id } = await invoke(product.backoffice, authTokens, 'put_user', { ...caller(), body })
  await invoke(product.backoffice, authTokens, 'verify_user', { ...caller(), body: { email: body.email } })
  anna = await invoke(product.backoffice, authTokens, 'create_session', { ...caller(), body: { user_id } })
  email = String((await send('GET', '/user', anna.token)).answer.email)
})

const spellings = [
  ['composed', `anna@bücher-${label}.example`],
  ['decomposed', `anna@bu\u0308cher-${label}.example`],
  ['in capitals', `ANNA@BÜCHER-${label.toUpperCase()}.EXAMPLE`],
  ['as the DNS has it', new URL(`https://bücher-${label}.example`).hostname.replace(/^/, 'anna@')],
  ['with full stops of an input method', `anna@bücher-${label}。example`],
  ['in full-width letters', `ａｎｎａ＠bücher-${label}．example`],
] as const

test('an address is shown and kept with its domain as the DNS has it', () => {
  expect(email).toMatch(/^anna@xn--bcher-[0-9a-z-]+\.example$/)
})

test.each(spellings)('a person signs in with an address %s', async (_, written) => {
  const origin = product.stack.gateways[0]?.url ?? ''
  const jar = new Jar()
  const { csrf } = await jar.ask(`${origin}/sign-in`)
  const form = { _csrf: csrf, email: written, password }
  expect((await jar.ask(`${origin}/sign-in`, { form, headers: { origin } })).status).toBe(303)
  expect((await jar.ask(`${origin}/sessions`)).text).toContain(email)
})

const createOffer = async (allowed: string, key: string = randomUUID()) =>
  send('POST', '/offers', product.dev.api_token, {
    body: { product_id: product.dev.product_id, allowed_emails: [allowed] },
    headers: { 'idempotency-key': key },
  })

test.each(spellings)('an offer for an address %s is for its person', async (_, written) => {
  const { answer } = await createOffer(written)
  const kept = await send('GET', `/offers/${answer.id}`, product.dev.api_token)
  expect(kept.answer.allowed_emails).toEqual([email])
  const seen = await send('GET', `/i/${answer.short_hash}`, anna.token)
  expect(seen.answer.offer).toMatchObject({ product: { id: product.dev.product_id } })
})

test('an offer for an address of letters that look alike is not', async () => {
  const { answer } = await createOffer(`anna@b\u0171cher-${label}.example`)
  expect((await send('GET', `/i/${answer.short_hash}`, anna.token)).answer.offer).toBeNull()
})

test('a repetition with another spelling has the same intent', async () => {
  const key = randomUUID()
  const ids = []
  for (const [, written] of spellings) ids.push((await createOffer(written, key)).answer.id)
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^offer_/)))
  expect(new Set(ids).size).toBe(1)
})

test('an invitation finds its person, and is there once', async () => {
  const { owner, workspace_id } = product.dev
  const invite = (written: string) =>
    send('POST', `/workspaces/${workspace_id}/members`, owner.session_token, {
      body: { email: written, role: 'member' },
    })
  const statuses = []
  for (const [, written] of spellings) statuses.push((await invite(written)).status)
  expect(statuses).toEqual([201, 409, 409, 409, 409, 409])
  const { answer } = await send('GET', '/invitations', anna.token)
  expect(answer.data).toMatchObject([{ email, workspace: { id: workspace_id } }])

  const refused = await invite('jürgen@example.com')
  expect(refused).toMatchObject({
    status: 400,
    answer: { errors: [{ path: ['email'], message: 'email must have only ASCII characters before the @.' }] },
  })
})

const decomposed = 'Cafe\u0301'

/** In the demo's workspace. Throws where it is refused. */
const create = async (path: string, body: object, headers = {}) => {
  const { owner, workspace_id: workspace } = product.dev
  const { status, answer } = await send('POST', path, owner.session_token, { workspace, body, headers })
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`)
  return answer
}

test('names are kept composed, and counted so', async () => {
  const name = decomposed
  const { id: package_id, ...made } = await create('/packages', { name })
  const others = [
    await create('/products', { name, package_id }),
    await create('/offer_channels', { name, product_id: product.dev.product_id }),
    await create('/clusters', { name }),
    await create('/api_tokens', { name }),
    await create('/workspaces', { name }),
  ]
  expect([made, ...others].map(one => one.name)).toEqual([made, ...others].map(() => 'Café'))
  expect((await create('/clusters', { name: 'e\u0301'.repeat(100) })).name).toBe('é'.repeat(100))
})

test('a version of a package has one name, composed or decomposed', async () => {
  const { id } = await create('/packages', { name: 'Queues' })
  const publish = (version: string, input_schema: object) =>
    create(`/packages/${id}/versions`, { version, input_schema })
  const first = await publish(decomposed, { properties: {} })
  expect(await publish('Café', { properties: {} })).toEqual(first)
  await expect(publish('Café', { properties: { size: {} } })).rejects.toThrow('answered 409')
})

test('a version that is stored decomposed is the same one', async () => {
  const { id: package_id } = await create('/packages', { name: 'Queues' })
  const input_schema = { properties: {} }
  const publish = (version: string) => create(`/packages/${package_id}/versions`, { version, input_schema })
  const { id: another } = await publish('1.0')
  const id = newId('pkgv')
  await product.sql`
    insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
    select ${id}, workspace_id, package_id, ${decomposed}, input_schema, schema_hash
    from offers.package_versions where id = ${String(another)}`
  expect((await publish('Café')).id).toBe(id)
})

test('a key of creation is for one name in either form', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await create('/clusters', { name: decomposed }, headers)
  expect(await create('/clusters', { name: 'Café' }, headers)).toEqual(first)
})

test('what is no name is kept as it was sent', async () => {
  const { answer } = await send('POST', '/offers', product.dev.api_token, {
    body: { product_id: product.dev.product_id, notes: decomposed, customer: { display_name: decomposed } },
    headers: { 'idempotency-key': randomUUID() },
  })
  const { answer: offer } = await send('GET', `/offers/${answer.id}`, product.dev.api_token)
  expect(offer).toMatchObject({ notes: decomposed, customer: { display_name: decomposed } })
})
