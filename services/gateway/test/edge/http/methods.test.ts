// A method that an address does not have: 405, and Allow names those that it has (RFC 9110, 15.5.6).
import { afterAll, describe, expect, test } from 'vitest'
import { routesOf, serverAlone } from './routes-of.ts'

const app = await serverAlone()
afterAll(() => app.close())

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const
const routes = routesOf(app)
const browser = { accept: 'text/html' }

describe.each(routes)('$path', ({ path, methods: own }) => {
  const url = path.replace(/:\w+/g, 'x')
  // A static address is one of those that a parameter stands for, and the router tries both.
  const all = routes.filter(route => standsFor(route.path, url)).flatMap(route => route.methods)
  const allow = [...new Set(all)].sort().concat('OPTIONS').join(', ')

  test('names its methods to OPTIONS', async () => {
    const answer = await app.inject({ method: 'OPTIONS', url: `${url}?a=b` })
    expect([answer.statusCode, answer.headers.allow, answer.body]).toEqual([204, allow, ''])
    expect(answer.headers['content-type']).toBeUndefined()
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('refuses the others', async () => {
    for (const method of methods.filter(method => !all.includes(method))) {
      expect(own).not.toContain(method)
      const answer = await app.inject({ method, url: `${url}?a=b` })
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, allow])
      if (method === 'HEAD') expect(answer.body).toBe('')
      else if (url.startsWith('/oauth')) expect(answer.json()).toMatchObject({ error: 'invalid_request' })
      else {
        const { _tag, errors } = answer.json()
        expect([_tag, errors[0].code, errors[0].metadata.allow]).toEqual(['MethodNotAllowed', 40501, allow])
        expect(errors[0].message).toBe(`This address does not take ${method}. Use one of: ${allow}.`)
      }
    }
  })
})

test('a browser sees a page, with the same status and header', async () => {
  const answer = await app.inject({ method: 'DELETE', url: '/device/decision', headers: browser })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  expect(answer.body).toContain('<h1>Page not found</h1>')
})

test.each(['/nope', '/v1/nope', '/v1/offers/a/b', '/v1/Offers', '/oauth/nope'])(
  '%s has no methods: 404 for each',
  async url => {
    for (const method of [...methods, 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url })
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 404, undefined])
    }
  },
)

const standsFor = (route: string, url: string) =>
  new RegExp(`^${route.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`).test(url)
