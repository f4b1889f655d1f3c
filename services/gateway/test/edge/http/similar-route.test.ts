// An unknown address of the API: the answer names the route that it probably means, and never what was sent.
import { afterAll, expect, test } from 'vitest'
import { similarRoute } from '../../../src/edge/http/similar-route.ts'
import { routesOf, serverAlone } from './routes-of.ts'

const app = await serverAlone()
afterAll(() => app.close())
const routes = routesOf(app).filter(({ path }) => /^\/v1\/(?!openapi)/.test(path))

test.each([
  ['/offers', '/v1/offers'],
  ['/offers/', '/v1/offers'],
  ['/v1/Offers?limit=1', '/v1/offers'],
  ['/v1/ofers/offer_1/revoke', '/v1/offers/{id}/revoke'],
  ['/v1/offers/offer_1/revok', '/v1/offers/{id}/revoke'],
  ['/v1/api-tokens', '/v1/api_tokens'],
  ['/v1/workspaces/ws_1/memers/user_1', '/v1/workspaces/{id}/members/{user_id}'],
])('%s probably means %s', async (url, meant) => {
  const answer = await app.inject({ url })
  const [error] = answer.json().errors
  expect([answer.statusCode, error.code]).toEqual([404, 40401])
  expect(error.message).toBe(`There is no such route. Did you mean ${meant}?`)
})

test.each([
  ['/'],
  ['/v1'],
  ['/v1/nope'],
  ['/v2/offers'],
  ['/v1/ofers/offer_1/revok'],
  ['/v1/offers/a/b/c'],
  ['/sign-in/'],
  ['/v1/constructor'],
  [`/v1/offers${'/'.repeat(200)}`],
])('%s is like no route', url => {
  expect(similarRoute(url)).toBeUndefined()
})

test('each route without its root is recognized', () => {
  for (const { path } of routes) {
    const braced = path.replace(/:(\w+)/g, '{$1}')
    expect(similarRoute(path.replace('/v1', '').replace(/:\w+/g, 'x_1'))).toBe(braced)
  }
})

test('a part of more than 40 characters is not compared, as the cost grows with the square of its length', () => {
  expect(similarRoute(`/v1/${'offers'.padEnd(40, '_')}`)).toBe('/v1/offers')
  expect(similarRoute(`/v1/${'offers'.padEnd(41, '_')}`)).toBeUndefined()
})
