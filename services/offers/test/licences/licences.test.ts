// Licences of installs: who gets one, what it says, until when, and with whose keys it is verified.
import { verifyLicence } from '@svc/client/licence'
import { hashCredential } from '@svc/runtime/credential'
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { codeOf, newCustomer, type Running, shareOffers } from '../running-offers.ts'

const day = 86_400
const schema = {
  type: 'object',
  properties: {
    seats: { type: 'integer', 'x-licence': true },
    note: { type: 'string' },
    key: { type: 'string', format: 'password' },
  },
}

const offers = forFile(shareOffers)
const anyone = { kind: 'anonymous', id: 'anonymous' } as const
const ownerOf = (workspace: string) =>
  ({ kind: 'session', id: newId('sess'), user: newId('user'), workspace, role: 'owner' }) as const

async function newInstall(running: Running = offers, pays = false) {
  const customer = newCustomer()
  const offer = await running.newOffer({ way: pays ? 'checkout' : 'direct', schema })
  const order = await running.order(offer.short_hash, customer)
  const field_values = { seats: 5, note: 'ours', key: 'hunter2' }
  let { body } = await running.submit(order.body.id, customer, { field_values })
  if (pays) body = (await running.pay(order.body.id)).body
  return { id: `${body.install_id}`, customer, product_id: offer.product_id }
}
type Install = Awaited<ReturnType<typeof newInstall>>

const issue = ({ id, customer }: Install, caller = customer) =>
  offers.ask('create_licence', caller, { params: { id } })
const keysOf = async (id = offers.seller) =>
  (await offers.ask('list_licence_keys', anyone, { params: { id } })).body as unknown as {
    keys: { kid: string }[]
  }
const rotate = () =>
  offers.ask('rotate_licence_key', ownerOf(offers.seller), { params: { id: offers.seller } })
const issuerOf = (seller = offers.seller) => `http://localhost:8080/workspaces/${seller}`
const verified = async (text: unknown, { product_id }: Install) =>
  verifyLicence(`${text}`, {
    keys: await keysOf(),
    ...{ issuer: issuerOf(), audience: product_id, now: offers.clock.now() },
  })

test('both sides and the install itself get a licence with the values that are meant for it', async () => {
  const install = await newInstall()
  const credential = await offers.ask('create_install_credential', ownerOf(install.customer.workspace), {
    params: { id: install.id },
  })
  const answers = [
    await issue(install),
    await offers.ask('create_licence', offers.internal, { params: { id: install.id } }),
    await offers.ask('get_licence', anyone, {
      params: { id: install.id },
      headers: { 'Svc-Install-Credential': hashCredential(`${credential.body.credential}`) },
    }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    const { licence } = await verified(body.licence, install)
    const { iat, exp, jti, ...rest } = licence ?? {}
    expect(rest).toEqual({
      iss: issuerOf(),
      aud: install.product_id,
      sub: install.id,
      version: expect.any(String),
      entitlements: {},
      values: { seats: 5 },
      paid_through: null,
    })
    expect(body).toMatchObject({ expires_at: exp, renew_after: Number(iat) + 15 * day })
    expect(Number(exp) - Number(iat)).toBe(30 * day)
  }
  expect(new Set(answers.map(({ body }) => decodeJwt(`${body.licence}`).jti)).size).toBe(3)
  expect(codeOf(await issue(install, newCustomer()))).toEqual([404, 40402])
  const guessed = {
    params: { id: install.id },
    headers: { 'Svc-Install-Credential': hashCredential('guessed') },
  }
  expect(codeOf(await offers.ask('get_licence', anyone, guessed))).toEqual([401, 40102])
})

test('first licences at once, on two replicas, are signed with one key', async () => {
  const running = await shareOffers()
  const install = await newInstall(running)
  expect(await keysOf(running.seller)).toEqual(await keysOf(newId('ws')))
  const answers = await Promise.all(
    Array.from({ length: sized(20, 100) }, () =>
      running.ask('create_licence', install.customer, { params: { id: install.id } }),
    ),
  )
  const { keys } = await keysOf(running.seller)
  expect(keys).toHaveLength(1)
  for (const { body } of answers) {
    const options = { keys: { keys }, issuer: issuerOf(running.seller), audience: install.product_id }
    expect((await verifyLicence(`${body.licence}`, options)).reason).toBeUndefined()
    expect(await verified(body.licence, install)).toEqual({ reason: 'unknown_key' })
  }
})

test('a rotated key is published for 400 days, without its private part, and then gone', async () => {
  const install = await newInstall()
  const before = (await issue(install)).body.licence
  const [first] = (await keysOf()).keys
  const rotations = await Promise.all([rotate(), rotate(), rotate()])
  for (const { status } of rotations) expect(status).toBe(200)
  const { keys } = await keysOf()
  expect(keys.length).toBeLessThanOrEqual(4)
  expect(keys).toContainEqual(first)
  const { licence } = (await issue(install)).body
  expect(JSON.parse(Buffer.from(`${licence}`.split('.')[0] ?? '', 'base64url').toString()).kid).toBe(
    keys[0]?.kid,
  )
  for (const text of [before, licence]) expect((await verified(text, install)).reason).toBeUndefined()
  const signing = await offers.sql`
    select kid from offers.licence_keys where workspace_id = ${offers.seller} and private_jwk is not null`
  expect(signing).toEqual([{ kid: keys[0]?.kid }])
  expect(keys.slice(1).map(({ kid }) => kid)).toContain(first?.kid)
  try {
    offers.pass(399 * 24 * 60)
    expect((await keysOf()).keys).toEqual(keys)
    offers.pass(2 * 24 * 60)
    expect((await keysOf()).keys).toEqual(keys.slice(0, 1))
    await offers.sweep()
    const left = await offers.sql`select kid from offers.licence_keys where workspace_id = ${offers.seller}`
    expect(left).toEqual(signing)
  } finally {
    offers.clock.offsetMs = 0
  }
})

test('a workspace has at most 20 published keys', async () => {
  const answers = []
  for (let at = 0; at < 21; at++) answers.push(await rotate())
  expect(codeOf(answers.at(-1) as never)).toEqual([422, 42212])
  expect((await keysOf()).keys).toHaveLength(20)
})

test('a subscription has a licence until its grace ends, and none when it has lapsed or ended', async () => {
  const install = await newInstall(offers, true)
  const write = (paid_through: number, ended_at: number | null = null) => offers.sql`
    update offers.subscriptions set paid_through = ${paid_through}, ended_at = ${ended_at} where install_id = ${install.id}`
  const now = Math.floor(offers.clock.now() / 1000)
  await write(now + 30 * day)
  const { body } = await issue(install)
  expect(body.expires_at).toBe(now + 37 * day)
  expect((await verified(body.licence, install)).licence).toMatchObject({ paid_through: now + 30 * day })
  await write(now - day)
  expect((await issue(install)).body.expires_at).toBe(now + 6 * day)
  const refusals: [number, number | null, string][] = [
    [now - 7 * day, null, 'lapsed'],
    [now + 30 * day, now, 'ended'],
  ]
  for (const [through, ended, state] of refusals) {
    await write(through, ended)
    const refused = await issue(install)
    expect(codeOf(refused)).toEqual([409, 40920])
    expect(refused.body.errors?.[0]?.metadata).toMatchObject({ state })
  }
})

test('a removed install has no licence', async () => {
  const install = await newInstall()
  await offers.ask('remove_install', install.customer, { params: { id: install.id } })
  const refused = await issue(install)
  expect(codeOf(refused)).toEqual([409, 40920])
  expect(refused.body.errors?.[0]?.metadata).toMatchObject({ state: 'removed' })
})

const licensed = { 'x-licence': true }
test.each<[string, object, string]>([
  ['a password', { properties: { a: { format: 'password', ...licensed } } }, 'properties.a.x-licence'],
  [
    'a password by reference',
    {
      $defs: { p: { format: 'password' } },
      properties: { a: { items: { $ref: '#/$defs/p' }, ...licensed } },
    },
    'properties.a.x-licence',
  ],
  [
    'a nested property',
    { properties: { a: { properties: { b: licensed } } } },
    'properties.a.properties.b.x-licence',
  ],
  ['anything but true or false', { properties: { a: { 'x-licence': 'yes' } } }, 'properties.a.x-licence'],
])('a schema with x-licence at %s is refused', async (_, input_schema, path) => {
  const id = await offers.catalogue.package()
  const caller = offers.internal
  const answer = await offers.ask('create_package_version', caller, {
    params: { id },
    body: { version: '1.0.0', input_schema },
  })
  expect(codeOf(answer)).toEqual([422, 42210])
  expect(answer.body.errors?.[0]?.path?.join('.')).toBe(`input_schema.${path}`)
})
