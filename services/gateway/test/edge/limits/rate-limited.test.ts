// A limit that is reached over HTTP: what the answer says, and that it ends when the answer said.
import { hashCredential } from '@svc/runtime/credential'
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { ask, expectRefusal, refused } from '../../answers.ts'

const stack = forFile(joinProduct)

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
  // 99 an hour ago, and one that expires in an hour.
  await sql`
    insert into auth_tokens.attempts (bucket, times, touched_at)
    select ${bucket}, array_prepend(now() - interval '23 hours', array_agg(now() - interval '1 hour')), now()
    from generate_series(1, 99)
    on conflict (bucket) do update set times = excluded.times, touched_at = excluded.touched_at`
  const left = async () => {
    const [row] = await sql`
      select extract(epoch from times[1] + interval '1 day' - clock_timestamp())::float as seconds
      from auth_tokens.attempts where bucket = ${bucket}`
    return row?.seconds as number
  }
  const before = await left()
  const answer = await create()
  const after = await left()
  expect(expectRefusal(answer, refused('RateLimited', 42902))?.message).toMatch(/Try again in \d+ minutes/)
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(Math.floor(after))
  // auth-tokens leaves out the fraction of the second that it is.
  expect(seconds).toBeLessThanOrEqual(Math.ceil(before) + 1)
  expect(answer.headers.get('ratelimit')).toBe(`"attempts";r=0;t=${seconds}`)

  await sql`update auth_tokens.attempts set times = times[2:] where bucket = ${bucket}`
  expect((await create()).status).toBe(201)
})
