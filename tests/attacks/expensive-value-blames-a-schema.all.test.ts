// A seller or a customer who submits a value that takes long to check against its schema. Because of one value of 22
// levels in a recursive `oneOf`, every tenant that had published the same text was refused for a minute.
// In `npm test`: services/offers/test/input-schema/steps.test.ts.
import { startCustomerSide } from '../../services/offers/test/orders/customer-side-scene.ts'
import { made, type Reply, type Send, statusAndProblems } from '../../services/offers/test/http-scene.ts'
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'

// Which of the two matches depends on everything below: if that is evaluated again for each, every level doubles the
// work.
const either = ['and', 'or'].map(op => ({
  type: 'object',
  properties: { of: { $ref: '#/$defs/condition' }, op: { const: op } },
  required: ['of', 'op'],
}))
const alternatives = Array.from({ length: 500 }, (_, at) => ({ const: `${at}` }))
const schema = {
  properties: {
    when: { $ref: '#/$defs/condition' },
    codes: { items: { oneOf: alternatives } },
  },
  $defs: { condition: { oneOf: [{ type: 'string' }, ...either] } },
}

type Condition = string | { of: Condition; op: string }
const nested = (levels: number): Condition => (levels === 0 ? 'always' : { of: nested(levels - 1), op: 'or' })
const codes = Array.from({ length: 30_000 }, (_, at) => `${at % 500}`)

const scene = forFile(startCustomerSide)
let sellers: { own: Seller; other: Seller }
interface Seller {
  readonly send: Send
  readonly version: string
}
beforeAll(async () => {
  sellers = { own: await publish(scene.seller), other: await publish(scene.theirs) }
})

async function publish(send: Send): Promise<Seller> {
  const package_id = await made(send, '/packages', { name: 'Conditions' })
  const body = { version: '1.0.0', input_schema: schema }
  return { send, version: await made(send, `/packages/${package_id}/versions`, body) }
}

const offer = ({ send, version }: Seller, values: object) => {
  const entries = Object.entries(values).map(([name, value]) => [name, { value, locked: false }])
  return send('POST', '/offers', {
    package_version_id: version,
    field_values: Object.fromEntries(entries),
  })
}
const submit = async (values: object) => {
  const customer = scene.inWorkspace(scene.customer)
  const { body } = await offer(sellers.own, {})
  const order = await made(customer, `/i/${body.short_hash}/orders`, {})
  return customer('POST', `/orders/${order}/submit`, { field_values: values })
}

/** In the log, about the seller's version. */
const warnings = () =>
  scene.stack.lines
    .filter(line => line.includes(sellers.own.version) && line.includes('too expensive'))
    .map(line => JSON.parse(line.slice(line.indexOf('{'))))

const rounds = 20
/** By both sellers, one after the other, during the attack and after it. */
async function ordinaryOffers(attack: Promise<unknown>): Promise<number[]> {
  const statuses: number[] = []
  let under = true
  void attack.finally(() => {
    under = false
  })
  for (let after = 0; after < rounds; after += under ? 0 : 1) {
    const answers = await Promise.all([
      offer(sellers.own, { when: nested(after % 4) }),
      offer(sellers.other, { when: nested(after % 4) }),
    ])
    statuses.push(...answers.map(({ status }) => status))
  }
  return statuses
}

const tooExpensive = ({ status, body }: Reply) => [
  status,
  (body.errors as { code: number }[])[0]?.code,
  JSON.stringify(body.errors).includes('too expensive to check'),
]

test.each([22, 28])('a value of %i levels is answered', async levels => {
  const attacks = [
    offer(sellers.own, { when: nested(levels) }),
    offer(sellers.other, { when: nested(levels) }),
  ]
  const others = await ordinaryOffers(Promise.all(attacks))
  expect(new Set(others)).toEqual(new Set([201]))
  expect((await Promise.all(attacks)).map(statusAndProblems)).toEqual([[201], [201]])
})

test('one that a customer submits is answered', async () => {
  const attack = submit({ when: nested(22) })
  expect(new Set(await ordinaryOffers(attack))).toEqual(new Set([201]))
  expect(statusAndProblems(await attack)).toEqual([200])
})

test.each([
  ['a seller', () => offer(sellers.own, { codes })],
  ['a customer', () => submit({ codes })],
])('a value of %s that takes too many steps is refused, but no other', async (_, send) => {
  const attacks = Promise.all([send(), send()])
  expect(new Set(await ordinaryOffers(attacks))).toEqual(new Set([201]))
  expect((await attacks).map(tooExpensive)).toEqual(Array(2).fill([422, 42209, true]))
  expect((await offer(sellers.own, { codes: codes.slice(0, 100) })).status).toBe(201)
  await waitUntil('the warning', () => warnings().length > 0, { everyMs: 20 })
  for (const warning of warnings()) {
    expect(warning).toMatchObject({ what: 'values', why: 'steps', schema_hash: expect.any(String) })
    expect(JSON.stringify(warning).length).toBeLessThan(500)
  }
})
