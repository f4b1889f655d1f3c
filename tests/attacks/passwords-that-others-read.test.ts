// Anyone on one side of an order, or with the database or its backup, who looks for what the other side entered as
// `format: password`: a seller for the customer's, a customer for the seller's, a member for the owner's.
import { createHash } from 'node:crypto'
import { newId } from '@svc/runtime/id'
import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { startCustomerSide } from '../../services/offers/test/orders/customer-side-scene.ts'
import { made, type Send } from '../../services/offers/test/http-scene.ts'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string' },
    license: { type: 'string', format: 'password' },
    database: {
      type: 'object',
      properties: { user: { type: 'string' }, key: { $ref: '#/$defs/key' } },
    },
    nested: { type: 'array', items: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/key' }] } },
  },
  allOf: [{ properties: { later: { format: 'password' } } }],
  $defs: { key: { type: 'string', format: 'password', minLength: 8 } },
}
const withLater = { ...schema, properties: { ...schema.properties, later: { type: 'string' } } }
const secret = () => `secret ${newId('offer').slice(-16)}`
const hidden = { $sealed: true }

const scene = forFile(startCustomerSide)
let customer: Send
beforeAll(async () => {
  customer = scene.inWorkspace(scene.customer)
})

/** An offer with a licence from the seller, and an order of it with values from the customer. */
async function ordered() {
  const license = secret()
  const own = { database: { user: 'app', key: secret() }, nested: [1, secret()], later: secret() }
  const secrets = [license, own.database.key, String(own.nested[1]), own.later]
  const package_id = await made(scene.seller, '/packages', { name: 'With passwords' })
  const instructions = '{{ field.license }} `{{ field.database.key }}` {{ field.nested }} {{ field.later }}'
  const body = { version: '1.0.0', input_schema: withLater, instructions }
  const package_version_id = await made(scene.seller, `/packages/${package_id}/versions`, body)
  const { body: offer } = await scene.seller('POST', '/offers', {
    package_version_id,
    max_uses: 10,
    field_values: { license: { value: license, locked: true }, region: { value: 'eu', locked: false } },
  })
  const order = await made(customer, `/i/${offer.short_hash}/orders`, {})
  const submitted = await customer('POST', `/orders/${order}/submit`, { field_values: own })
  expect(submitted.status).toBe(200)
  const install = String(submitted.body.install_id)
  return { offer, order, install, submitted, own, license, secrets }
}

test('only the install itself can read them, with its credential', async () => {
  const { offer, order, install, submitted, own, license, secrets } = await ordered()
  const shown = { region: 'eu', license: hidden, database: hidden, nested: hidden, later: hidden }
  expect(submitted.body.field_values).toEqual(shown)

  const colleague = scene.inWorkspace(scene.colleague)
  const answers = await Promise.all([
    scene.seller('GET', `/offers/${offer.id}`),
    customer('GET', `/i/${offer.short_hash}`),
    ...[scene.seller, customer, colleague].flatMap(send => [
      send('GET', `/orders/${order}`),
      send('GET', `/installs/${install}`),
      send('GET', '/installs?relation=owned'),
      send('GET', '/installs?relation=sold'),
      send('GET', `/installs?relation=sold&offer_id=${offer.id}`),
    ]),
  ])
  for (const { status } of answers) expect(status).toBe(200)
  expectNotIn(JSON.stringify(answers), secrets)
  expect(answers[0]?.body.field_values).toMatchObject({ license: { value: hidden, locked: true } })
  expect(answers[2]?.body.field_values).toEqual(shown)
  expectNotIn(JSON.stringify(await scene.seller('POST', `/offers/${offer.id}/revoke`)), secrets)

  const { body } = await customer('POST', `/installs/${install}/credential`)
  const values = await readAs(install, String(body.credential))
  expect(values).toEqual({ status: 200, field_values: { region: 'eu', license, ...own } })
})

test('the database contains none of them', async () => {
  const { order, install, offer, secrets } = await ordered()
  const { sql } = scene.stack
  const rows = await sql`
    select (select row_to_json(o) from offers.offers o where id = ${String(offer.id)}) as offer,
      (select row_to_json(o) from offers.orders o where id = ${order}) as order,
      (select row_to_json(i) from offers.installs i where id = ${install}) as install,
      (select json_agg(e) from offers.outbox e where aggregate_id in (${order}, ${install}, ${String(offer.id)})) as events,
      (select json_agg(k) from offers.idempotency_keys k where offer_id = ${String(offer.id)}) as keys`
  const text = JSON.stringify(rows)
  expect(text).toContain('$sealed')
  expectNotIn(text, secrets)
})

test('a credential is valid for one install only, replaces earlier ones, and gives access to nothing else', async () => {
  const [one, other] = [await ordered(), await ordered()]
  const credentialOf = async (install: string) =>
    String((await customer('POST', `/installs/${install}/credential`)).body.credential)
  const first = await credentialOf(one.install)
  expect((await readAs(one.install, first)).status).toBe(200)
  const second = await credentialOf(one.install)
  expect((await readAs(one.install, second)).status).toBe(200)
  const wrong = [
    [one.install, first],
    [other.install, second],
    [one.install, 'guessed'],
    [one.install, createHash('sha256').update(second).digest('hex')],
    [newId('inst'), second],
  ]
  for (const [install = '', credential = ''] of wrong) {
    expect(await readAs(install, credential)).toEqual({ status: 401, field_values: undefined })
  }
  expect((await scene.as(second)('GET', '/installs')).status).toBe(401)
  expect((await customer('POST', `/installs/${one.install}/remove`)).status).toBe(200)
  expect((await readAs(one.install, second)).status).toBe(401)
})

test('a seller, a member, an API token and a stranger cannot create a credential', async () => {
  const { install } = await ordered()
  const statuses = async (send: Send) => (await send('POST', `/installs/${install}/credential`)).status
  expect(await statuses(scene.seller)).toBe(403)
  expect(await statuses(scene.owner)).toBe(404)
  expect(await statuses(scene.inWorkspace(scene.outsider))).toBe(404)
  expect(await statuses(scene.as(''))).toBe(401)
})

test('making a credential, and reading with it, is in the audit log of the owner only: one event a minute', async () => {
  const { install } = await ordered()
  const { body } = await customer('POST', `/installs/${install}/credential`)
  const read = () => readAs(install, String(body.credential))
  const typesOf = async (send: Send, list: string) => {
    const { data } = (await send('GET', `${list}?aggregate=${install}`)).body
    return data.map(({ type }) => type).reverse()
  }
  await Promise.all(Array.from({ length: 20 }, read))
  const before = ['installs.created', 'installs.credential_created', 'installs.values_read']
  await expect.poll(() => typesOf(customer, '/audit_log')).toEqual(before)
  const [told] = (await customer('GET', `/audit_log?type=installs.values_read&aggregate=${install}`)).body
    .data
  expect(told).toMatchObject({ actor: { kind: 'install', id: install }, address: '127.0.0.1' })
  await scene.stack.sql`
    update offers.install_readers set told_at = told_at - interval '61 s' where install_id = ${install}`
  for (const _ of [1, 2]) expect((await read()).status).toBe(200)
  await expect.poll(() => typesOf(customer, '/audit_log')).toEqual([...before, 'installs.values_read'])
  // Another reader, whoever has got the credential.
  await scene.stack.sql`
    update offers.install_readers set address = '192.0.2.7' where install_id = ${install}`
  await read()
  await expect.poll(async () => (await typesOf(customer, '/audit_log')).length).toBe(5)
  expect(await typesOf(customer, '/events')).toEqual(['installs.created', 'installs.credential_created'])
  expect(await typesOf(scene.owner, '/events')).toEqual(['installs.created'])
})

test('the placeholder of a secret cannot be a value', async () => {
  const { offer } = await ordered()
  const order = await made(customer, `/i/${offer.short_hash}/orders`, {})
  for (const value of [hidden, { $sealed: 'v1.1.AAAA' }]) {
    const { status, body } = await customer('POST', `/orders/${order}/submit`, {
      field_values: { later: value },
    })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('kept secret')])
    const field_values = { later: { value, locked: false } }
    const created = await scene.seller('POST', '/offers', {
      package_version_id: String((await scene.seller('GET', `/offers/${offer.id}`)).body.package_version_id),
      field_values,
    })
    expect(created.status).toBe(422)
  }
  // A form that shows the seller's values sends them back.
  const back = { license: hidden, later: secret() }
  expect((await customer('POST', `/orders/${order}/submit`, { field_values: back })).status).toBe(200)
})

test('they open after being sealed again, and unsealed ones are sealed then', async () => {
  const { order, install, own, license, offer } = await ordered()
  const { sql } = scene.stack
  const plain = sql.json({ region: 'eu', license, ...own })
  await sql`update offers.installs set field_values = ${plain} where id = ${install}`
  await sql`update offers.orders set field_values = ${plain} where id = ${order}`
  await sql`
    update offers.offers set field_values = jsonb_set(field_values, '{license,value}', ${sql.json(license)})
    where id = ${String(offer.id)}`
  const caller = { kind: 'internal', id: 'test' } as const
  let resealed = 0
  for (let after: string | null | undefined; after !== null; ) {
    const answer = await invoke(scene.stack.backoffice, offers, 'reseal', {
      caller,
      body: after === undefined ? {} : { after },
    })
    resealed += answer.resealed
    after = answer.next
  }
  expect(resealed).toBeGreaterThanOrEqual(3)
  const { body } = await customer('POST', `/installs/${install}/credential`)
  expect((await readAs(install, String(body.credential))).field_values).toEqual({
    region: 'eu',
    license,
    ...own,
  })
  const rows = await sql`
    select field_values::text as text from offers.orders where id = ${order}
    union all select field_values::text from offers.offers where id = ${String(offer.id)}`
  for (const { text } of rows) {
    expect(text).toContain('$sealed')
    expectNotIn(String(text), [license, own.later])
  }
})

function expectNotIn(text: string, secrets: string[]) {
  expect(secrets.filter(one => text.includes(one))).toEqual([])
}

async function readAs(install: string, credential: string) {
  const url = `${scene.stack.baseUrls[0]}/installs/${install}/field_values`
  const answer = await fetch(url, { headers: { 'svc-install-credential': credential } })
  const body = (await answer.json()) as { field_values?: unknown }
  return { status: answer.status, field_values: body.field_values }
}
