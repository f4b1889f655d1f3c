// However often a key is used, there is one offer.
import type { Product } from '@svc/testing/stack/stack'
import { expect } from 'vitest'
import type { Answer, Post } from '../../http.ts'
import { isTooLate, timedAtOnce } from './timed-answers.ts'

interface Requests {
  readonly product_id: string
  readonly body: object
  readonly key: string
  readonly times: number
}

/** Sends this many requests at once and retries those that were too late: one row, one id, all 201. */
export async function oneOffer(
  { stack, posts }: { stack: Pick<Product, 'sql'>; posts: Post[] },
  { product_id, body, key, times }: Requests,
): Promise<void> {
  const created: Answer[] = []
  let late = 0
  while (created.length < times) {
    const answers = await timedAtOnce(posts, Array(times - created.length).fill(body), key)
    expect(answers.filter(answer => answer.status !== 201 && !isTooLate(answer))).toEqual([])
    created.push(...answers.filter(({ status }) => status === 201))
    late += answers.filter(isTooLate).length
  }
  const [offer, ...others] = await stack.sql`select id from offers.offers where product_id = ${product_id}`
  expect(others).toEqual([])
  expect(new Set(created.map(({ body }) => body.id))).toEqual(new Set([offer?.id]))
  const first = created.filter(({ replayed }) => replayed === null).length
  expect([1, late > 0 ? 0 : 1]).toContain(first)
  const [row] = await stack.sql`select * from offers.idempotency_keys where key = ${key}`
  expect(row).toMatchObject({ offer_id: offer?.id, lease_until: null })
}
