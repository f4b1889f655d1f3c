/** A stack to send bad requests to, and what the tests of refusals share. */
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect } from 'vitest'
import { ask, expectRefusal, type Refusal, refused } from '../../answers.ts'
import { type Exchange, exchange, type RawRequest, rawRequest } from '../../raw-http.ts'

export const unknownRoute = refused('NotFound', 40401)
export const wrongMethod = refused('MethodNotAllowed', 40501)
export const malformedJson = refused('Validation', 40001)
export const invalidBody = refused('Validation', 40002)
export const invalidHeader = refused('Validation', 40003)
export const invalidParameter = refused('Validation', 40004)
export const malformedRequest = refused('Validation', 40005)
export const repeatedKey = refused('Validation', 40006)
export const missingCredential = refused('Unauthorized', 40101)
export const tooLate = refused('RequestTimeout', 40801)
export const tooLarge = refused('PayloadTooLarge', 41301)
export const unsupportedType = refused('UnsupportedMediaType', 41501)
export const unsupportedEncoding = refused('UnsupportedMediaType', 41502)
export const unsupportedCharset = refused('UnsupportedMediaType', 41503)
export const headersTooLarge = refused('HeadersTooLarge', 43101)

export const json = 'Content-Type: application/json'
export const post = (request: RawRequest): RawRequest => ({
  method: 'POST',
  target: '/v1/offers',
  ...request,
})

/** One stack per test file. At the end the log must not contain internal errors. */
export function refusalScene() {
  let stack: Product
  beforeAll(async () => {
    stack = await joinProduct()
  })
  afterAll(async () => {
    try {
      expect(await statusOfGoodRequest()).toBe(200)
      expect(stack.lines.filter(line => /"level":(50|60)/.test(line))).toEqual([])
    } finally {
      await stack.stop()
    }
  })

  const bearer = () => `Authorization: Bearer ${stack.dev.api_token}`

  async function statusOfGoodRequest(): Promise<number> {
    const headers = { authorization: `Bearer ${stack.dev.api_token}` }
    return (await ask(`${stack.dev.base_url}/installs`, { headers })).status
  }

  /** Sends one request as bytes and checks that the one answer to it is this refusal. */
  async function expectRefused(bytes: string | Buffer, refusal: Refusal): Promise<Exchange> {
    const outcome = await exchange(stack.dev.base_url, bytes, { answers: 1 })
    const [answer] = outcome.answers
    if (!answer) throw new Error('no answer')
    expectRefusal(answer, refusal)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    return outcome
  }

  /** The same for what the HTTP parser accepts as a request: the answer has its id. */
  async function expectRequestRefused(request: RawRequest, refusal: Refusal): Promise<Exchange> {
    const outcome = await expectRefused(rawRequest(request), refusal)
    expect(outcome.answers[0]?.headers.get('svc-request-id')).toMatch(/^req_/)
    return outcome
  }

  const authorised = ({ headers = [], ...request }: RawRequest): RawRequest => ({
    ...request,
    headers: [bearer(), ...headers],
  })

  return {
    get stack() {
      return stack
    },
    bearer,
    authorised,
    expectRefused,
    expectRequestRefused,
    statusOfGoodRequest,
  }
}
