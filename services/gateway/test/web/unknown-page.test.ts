// An unknown address: a browser is answered with a page, a program with the envelope.
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, expectRefusal, refused } from '../answers.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const unknownRoute = refused('NotFound', 40401)

const stack = forFile(joinProduct)
let url: string
beforeAll(async () => {
  url = stack.stack.gateways[0]?.url ?? ''
})

const unknown = [
  '/sign-in/',
  '/docs/nope',
  '/docs/errors/',
  '/Sign-In',
  '/v2/installs',
  '/assets/nope.css',
  '/v1x',
  '/nope?a=b',
]

describe('a browser', () => {
  test.each(unknown)('at %s is shown a page that says what to do', async path => {
    const { status, headers, text } = await ask(url + path, { headers: { accept: browser } })
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers.get('vary')).toBe('accept')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).toContain('<h1>Page not found</h1>')
    expect(text).toContain('href="/"')
    expect(text).toContain('href="/docs"')
    expect(text).toContain(headers.get('svc-request-id') ?? 'no id')
  })

  test('does not see the requested address', async () => {
    const { text } = await ask(`${url}/<script>alert(1)</script>?"onload=`, { headers: { accept: browser } })
    expect(text).not.toMatch(/alert|onload|%3C/i)
  })

  test('that sends a form there is also shown the page', async () => {
    const body = new URLSearchParams({ a: 'b' })
    const { status, text } = await ask(`${url}/sign-in/`, {
      method: 'POST',
      headers: { accept: browser },
      body,
    })
    expect(status).toBe(404)
    expect(text).toContain('<h1>Page not found</h1>')
  })

  test.each(['/v1', '/v1/', '/v1/nope', '/v1?a=b', '/v1/offers/a/b/c'])(
    'at %s of the API counts as a program',
    async path => {
      const answer = await ask(url + path, { headers: { accept: browser } })
      expectRefusal(answer, unknownRoute)
      expect(answer.headers.get('vary')).toBeNull()
    },
  )

  test('at an address below /oauth is answered in the form of OAuth', async () => {
    const { status, text } = await ask(`${url}/oauth/nope`, { headers: { accept: browser } })
    expect([status, JSON.parse(text).error]).toEqual([404, 'invalid_request'])
  })
})

describe('a program', () => {
  test.each([
    undefined,
    '*/*',
    '',
    'application/json',
    'application/json, text/html;q=0.9',
    'text/html;q=0, */*',
    'text/*',
    'text/html+x',
    'text/html;q=nonsense',
  ])('that accepts %j is answered in the envelope', async accept => {
    for (const path of unknown) {
      const answer = await ask(url + path, { headers: accept === undefined ? {} : { accept } })
      expectRefusal(answer, unknownRoute)
      expect(answer.headers.get('vary')).toBe('accept')
      expect(answer.headers.get('content-security-policy')).toBeNull()
    }
  })
})

test.each([
  'text/html',
  'TEXT/HTML',
  'text/html; charset=utf-8',
  'application/json;q=0.5 , text/html ;q=0.8',
  '*/*, text/html',
])('a client that accepts %j counts as a browser', async accept => {
  const { headers } = await ask(`${url}/nope`, { headers: { accept } })
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('an invalid request is refused in the envelope, whatever is accepted', async () => {
  const answer = await ask(`${url}/%zz`, { headers: { accept: browser } })
  expectRefusal(answer, refused('Validation', 40005))
})
