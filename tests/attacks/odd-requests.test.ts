// Anyone: requests that two parsers read differently, and one that the gateway answered with 500.
import { joinProduct } from '@svc/testing/stack/join-product'
import { randomUUID } from 'node:crypto'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { exchange } from '../../services/gateway/test/raw-http.ts'

const product = forFile(joinProduct)

test('keys that differ by a Unicode space are two keys', async () => {
  const { base_url, api_token, product_id } = product.dev
  const key = randomUUID()
  const create = async (header: string) => {
    const body = JSON.stringify({ product_id })
    const bytes = `POST /v1/offers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api_token}\r\nIdempotency-Key: ${header}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const { answers } = await exchange(base_url, Buffer.from(bytes), { answers: 1 })
    const [answer] = answers
    expect(answer?.status).toBe(201)
    return JSON.parse(answer?.text ?? '').id as string
  }
  const keys = [key, `${key}\u00a0`, `\u00a0${key}`, `${key}\ufeff`, `${key}\u2003`]
  const ids: string[] = []
  for (const one of keys) ids.push(await create(one))
  expect(new Set(ids).size).toBe(keys.length)
  expect(await create(` \t${key} \t`)).toBe(ids[0])
})

test.each([
  '/v1/offers',
  '/v1/nope',
  '/sign-in',
  '/oauth/token',
  '/livez',
  '/assets/nope',
  '/docs',
  '/.well-known/jwks.json',
])('the type of %s is not guessed', async path => {
  const origin = new URL(product.dev.base_url).origin
  const answer = await fetch(`${origin}${path}`)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('an idle connection is kept longer than load balancers keep theirs', async () => {
  const { answers } = await exchange(product.dev.base_url, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', {
    answers: 1,
  })
  expect(answers[0]?.headers.get('keep-alive')).toBe('timeout=75')
})

test('nor is that of what the parser refuses', async () => {
  const { answers } = await exchange(product.dev.base_url, 'GET\r\n\r\n')
  expect(answers[0]?.headers.get('x-content-type-options')).toBe('nosniff')
})
