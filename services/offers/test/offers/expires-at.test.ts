// What `expires_at` means when an offer is created; the test moves the clock.
import { forFile } from '@svc/testing/for-file'
import { beforeAll, expect, test } from 'vitest'
import { shareBench } from '../in-process.ts'
import { summaryOf } from '../http.ts'

const expires_at = 2_000_000_000
const refused = [422, [42206, 'expires_at']]

const bench = forFile(shareBench)
let body: object
beforeAll(async () => {
  const { product_id } = await bench.catalogue.twoVersions()
  body = { product_id, expires_at }
})

test.each([
  ['a year before it', -31_536_000_000, [201]],
  ['1 ms before it', -1, [201]],
  ['at it', 0, refused],
  ['1 ms after it', 1, refused],
  ['a year after it', 31_536_000_000, refused],
])('%s', async (_, offset, outcome) => {
  const clock = { ms: expires_at * 1000 + offset }
  expect(summaryOf(await bench.create({ body, clock }))).toEqual(outcome)
})
