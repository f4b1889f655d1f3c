// A limit that is reached over HTTP: what the answer says, and that it ends when the answer said.
import { hashCredential } from '@svc/runtime/credential'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, expectRefusal, refused } from '../answers.ts'

let stack: Product
beforeAll(async () => {
  stack = await joinProduct()
})
afterAll(() => stack?.stop())

test('429 says in Retry-After and RateLimit when to try again', async () => {
  const { dev, sql } = stack
  const create = () =>
    ask(`${dev.base_url}/workspaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dev.owner.session_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'one more' }),
    })
  const [owner] = await sql`select id from auth_tokens.users where email = ${dev.owner.email}`
  const bucket = `workspaces_per_person ${hashCredential(owner?.id)}`
  // 99 an hour ago, and one that expires in a minute.
  await sql`
    insert into auth_tokens.attempts (bucket, times, touched_at)
    select ${bucket}, array_prepend(now() - interval '1 day' + interval '1 minute', array_agg(now() - interval '1 hour')), now()
    from generate_series(1, 99)`
  const answer = await create()
  expect(expectRefusal(answer, refused('RateLimited', 42902))?.message).toMatch(/Try again in \d+ seconds/)
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(50)
  expect(seconds).toBeLessThanOrEqual(61)
  expect(answer.headers.get('ratelimit')).toBe(`"attempts";r=0;t=${seconds}`)

  await sql`update auth_tokens.attempts set times = times[2:] where bucket = ${bucket}`
  expect((await create()).status).toBe(201)
})
