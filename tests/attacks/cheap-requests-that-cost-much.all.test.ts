// Anyone, without a credential: a query of 3,800 names, 48 times a second, raised the others' median from 7 to 659 ms.
// Any holder of a token: a body of 25,000 unknown keys, 15 times a second per replica, raised it from 5 ms to 4.5 s,
// and led to 504.
// In `npm test`: libs/bus/test/object-keys.test.ts.
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { Agent } from 'node:http'
import { type Asked, answersInTurn, answerTo } from './others.ts'

const product = forFile(joinProduct)

const others = (): Asked => ({
  url: `${product.dev.base_url}/offers?limit=1`,
  headers: { authorization: `Bearer ${product.dev.other_api_token}` },
})

/** What is too much is found before what is wrong is looked for, so the answer does not name all of it. */
const maxEntries = 50

let attackers = 0

/** Sends many of them at once. */
async function expectHarmless(asked: Asked) {
  // An address that sends much waits, and so would the others and the next attack.
  const from = process.platform === 'linux' ? `127.0.0.${100 + attackers++}` : undefined
  const agent = new Agent()
  const attacked = Promise.all(
    Array.from({ length: 200 }, async () => {
      const { status = 0, text = '{}' } = (await answerTo({ ...asked, from }, agent)) ?? {}
      const { errors } = JSON.parse(text) as { errors?: unknown[] }
      return { status, entries: errors?.length }
    }),
  )
  expect(await answersInTurn(others(), 100)).toEqual([200])
  // 408: it waited for the room of its body; 503: refused before it was parsed.
  const harmful = (await attacked).filter(
    ({ status, entries = Number.POSITIVE_INFINITY }) =>
      ![400, 408, 503].includes(status) || entries > maxEntries,
  )
  expect(harmful).toEqual([])
  agent.destroy()
}

const names = (count: number) => Array.from({ length: count }, (_, at) => at.toString(36))

test('3,800 names in a query, without a credential, are refused, and others are answered', async () => {
  const url = `${product.dev.base_url}/i/abcdefghijkm?${names(3800).join('&')}`
  await expectHarmless({ url })
})

test('one name in a query, 3,800 times, is refused, and others are answered', async () => {
  const url = `${product.dev.base_url}/i/abcdefghijkm?${'a&'.repeat(3800)}`
  await expectHarmless({ url })
})

const bodies: readonly (readonly [string, () => string])[] = [
  ['25,000 unknown keys', () => JSON.stringify(Object.fromEntries(names(25_000).map(name => [name, 0])))],
  [
    '25,000 unknown keys in 25 objects',
    () =>
      JSON.stringify({
        product_id: product.dev.product_id,
        field_values: Object.fromEntries(
          names(25).map(name => [name, Object.fromEntries(names(1000).map(inside => [inside, 0]))]),
        ),
      }),
  ],
  [
    '25,000 values that are none',
    () =>
      JSON.stringify({
        field_values: Object.fromEntries(names(1000).map(name => [name, Array(25).fill(0)])),
      }),
  ],
  [
    'a list of 120,000 addresses that are none',
    () => JSON.stringify({ allowed_emails: Array(120_000).fill(0) }),
  ],
  [
    'many keys and a string without an end',
    () => `[${`{${names(600).map(name => `"${name}":0`)}},`.repeat(2)}"${'\\"'.repeat(110_000)}`,
  ],
  ['one key, 25,000 times', () => `{${'"a":1,'.repeat(25_000)}"a":1}`],
]

test.each(bodies)('a body of %s, with one token, is refused, and others are answered', async (_, body) => {
  const { api_token, base_url } = product.dev
  const headers = { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' }
  await expectHarmless({ url: `${base_url}/offers`, method: 'POST', headers, body: body() })
})
