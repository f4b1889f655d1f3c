// Everything that Fastify and the gateway refuse by themselves has the documented shape: routes, ids, query, headers.
import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../answers.ts'
import { type RawRequest, exchange, rawRequest } from '../../raw-http.ts'
import {
  unknownRoute,
  wrongMethod,
  invalidHeader,
  invalidParameter,
  malformedRequest,
  missingCredential,
  headersTooLarge,
  json,
  post,
  refusalScene,
} from './refusal-scene.ts'

const scene = refusalScene()
const { bearer, authorised, expectRefused, expectRequestRefused } = scene

describe('routes', () => {
  test.each<[string, RawRequest, Refusal]>([
    ['an unknown path', { target: '/v1/nope' }, unknownRoute],
    ['the versioned root', { target: '/v1' }, unknownRoute],
    ['another version', { target: '/v2/installs' }, unknownRoute],
    ['a path in another case', { target: '/v1/Installs' }, unknownRoute],
    ['a trailing slash', { target: '/v1/limits/' }, unknownRoute],
    ['an unknown path of 5,000 characters', { target: `/v1/${'x'.repeat(5000)}` }, unknownRoute],
    [
      'an unknown path with an unreadable body',
      { method: 'POST', target: '/v1/nope', body: 'x' },
      unknownRoute,
    ],
    [
      'an unknown path with a body over the limit',
      { method: 'POST', target: '/v1/nope', headers: [json], body: 'x'.repeat(262_145) },
      unknownRoute,
    ],
    ['a method of WebDAV', { method: 'PROPFIND', target: '/v1/offers' }, wrongMethod],
    [
      'a wrong method with a body over the limit',
      { method: 'PUT', target: '/v1/offers', headers: [json], body: 'x'.repeat(262_145) },
      wrongMethod,
    ],
    ['CONNECT to a host', { method: 'CONNECT', target: 'svc.example:443' }, unknownRoute],
    ['CONNECT to a route', { method: 'CONNECT', target: '/v1/offers' }, unknownRoute],
    ['a path with bad percent-encoding', { target: '/v1/clusters/%zz/compute_settings' }, malformedRequest],
    ['a path that is not UTF-8', { target: '/v1/clusters/%ff/compute_settings' }, malformedRequest],
    ['an unknown path with bad percent-encoding', { target: '/%zz' }, malformedRequest],
  ])('%s', async (_, request, refusal) => {
    await expectRequestRefused(request, refusal)
  })

  test('OPTIONS * names every method, and a path that is asked as it stands names its own', async () => {
    for (const [target, allow] of [
      ['*', 'DELETE, GET, HEAD, PATCH, POST, OPTIONS'],
      ['/v1/offers', 'GET, HEAD, POST, OPTIONS'],
    ] as const) {
      const { answers } = await exchange(
        scene.stack.dev.base_url,
        rawRequest({ method: 'OPTIONS', target }),
        { answers: 1 },
      )
      expect(answers[0]?.status).toBe(204)
      expect(answers[0]?.headers.get('allow')).toBe(allow)
    }
  })

  test('an upgrade is ignored, and the request is answered normally', async () => {
    const headers = ['Connection: Upgrade', 'Upgrade: websocket']
    const { answers } = await exchange(scene.stack.dev.base_url, rawRequest(authorised({ headers })), {
      answers: 1,
    })
    expect(answers[0]).toMatchObject({ status: 200 })
  })
})

test.each([
  ['an API token', 'sk_svc_abcdefghijklmnopqrstuvwxyz'],
  ['a text', 'abc'],
])('%s without a scheme is answered with what is missing, and not quoted', async (_, credential) => {
  const { answers } = await expectRequestRefused(
    { headers: [`Authorization: ${credential}`] },
    missingCredential,
  )
  const text = answers[0]?.text ?? ''
  expect(JSON.parse(text).errors[0].message).toContain('prefix it with Bearer')
  expect(text).not.toContain(credential)
})

describe('a credential that is sent in a header of its own', () => {
  test.each(['inst_01h00000000000000000000000', '*'])(
    'is asked for before anything else is read: %s',
    async id => {
      const { answers } = await expectRequestRefused(
        { target: `/v1/installs/${id}/field_values?${'a=1&'.repeat(9)}` },
        missingCredential,
      )
      const [entry] = JSON.parse(answers[0]?.text ?? '').errors
      expect(entry.path).toEqual(['Svc-Install-Credential'])
      expect(entry.message).toContain('in the header Svc-Install-Credential')
    },
  )
})

describe('identifiers in the path', () => {
  test.each<[string, string]>([
    ['a wildcard of the bus', '*'],
    ['a token separator of the bus', 'clus_a.b'],
    ['a line break', 'clus_a%0d%0aSvc-Caller:%20x'],
    ['a null', 'clus_a%00'],
    ['a slash', 'clus_a%2Fb'],
    ['a parent folder', '%2e%2e'],
    ['nothing', ''],
    ['10,000 characters', `clus_${'a'.repeat(9995)}`],
  ])('%s is refused', async (_, id) => {
    const outcome = await expectRequestRefused(
      authorised({ target: `/v1/clusters/${id}/compute_settings` }),
      invalidParameter,
    )
    const [entry] = JSON.parse(outcome.answers[0]?.text ?? '').errors
    expect(entry.path).toEqual(['id'])
  })

  test('one that is too long is refused only after the caller is known', async () => {
    const target = `/v1/clusters/clus_${'a'.repeat(500)}/compute_settings`
    await expectRequestRefused({ target }, missingCredential)
  })
})

describe('query', () => {
  test.each<[string, string]>([
    ['a repeated parameter', 'limit=1&limit=1'],
    ['an unknown parameter', 'offset=1'],
    ['__proto__', '__proto__=1'],
    ['bad percent-encoding', 'limit=%zz'],
    ['a cursor that is none', 'cursor=nonsense'],
    ['a name in another script', '%C3%A9=1'],
  ])('%s is refused', async (_, query) => {
    await expectRequestRefused(authorised({ target: `/v1/installs?${query}` }), invalidParameter)
  })

  test.each([
    ['of the API', '/v1/installs'],
    ['of the API that is open to everybody', '/v1/i/111111111111'],
    ['of a page', '/sign-in'],
    ['of the documentation', '/docs/search.json'],
  ])('more than 64 parameters are refused: at an address %s', async (_, path) => {
    const target = `${path}?${'a=1&'.repeat(64)}`
    const { answers } = await exchange(scene.stack.dev.base_url, rawRequest(authorised({ target })), {
      answers: 1,
    })
    expect(answers[0]).toMatchObject({ status: 400 })
    if (path.startsWith('/v1')) expect(answers[0]?.text).toContain('more than 64 parameters')
  })

  test.each(['/sign-in', '/oauth/token'])('a form of more than 1,000 fields is refused: %s', async target => {
    const origin = new URL(scene.stack.dev.base_url).origin
    const page = await fetch(`${origin}/sign-in`)
    const csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const cookie = page.headers.getSetCookie().map(line => line.split(';')[0])
    const names = Array.from({ length: 1000 }, (_, at) => `f${at}`)
    const answer = await fetch(origin + target, {
      method: 'POST',
      headers: { cookie: cookie.join('; ') },
      body: new URLSearchParams({ _csrf: csrf, ...Object.fromEntries(names.map(name => [name, ''])) }),
    })
    expect(answer.status).toBe(400)
    const text = await answer.text()
    if (target !== '/sign-in') expect(text).toContain('more than 1000 fields')
  })

  test.each([
    ['in the query', '/v1/installs?limit=\xc3\xa9'],
    ['in the path', '/v1/clusters/\xc3\xa9/compute_settings'],
  ])('bytes outside ASCII %s are not HTTP', async (_, target) => {
    await expectRefused(rawRequest(authorised({ target })), malformedRequest)
  })
})

describe('headers', () => {
  const etag = (value: string): RawRequest => ({
    method: 'PATCH',
    target: `/v1/clusters/${scene.stack.dev.cluster_id}/compute_settings`,
    headers: [json, `If-Match: ${value}`],
    body: '{"max_machines":1}',
  })

  test.each<[string, () => RawRequest, string]>([
    [
      'two Idempotency-Key',
      () => post({ headers: [json, 'Idempotency-Key: a', 'idempotency-key: b'], body: '{}' }),
      'Idempotency-Key',
    ],
    [
      'two equal Idempotency-Key',
      () => post({ headers: [json, 'Idempotency-Key: a', 'Idempotency-Key: a'], body: '{}' }),
      'Idempotency-Key',
    ],
    ['two If-Match', () => ({ ...etag('a'), headers: [json, 'If-Match: a', 'If-Match: b'] }), 'If-Match'],
    [
      'two Content-Type',
      () => post({ headers: [json, 'content-type: text/plain'], body: '{}' }),
      'Content-Type',
    ],
    [
      'two Svc-Context',
      () => ({
        headers: [
          `Svc-Context: ${scene.stack.dev.workspace_id}`,
          `Svc-Context: ${scene.stack.dev.workspace_id}`,
        ],
      }),
      'Svc-Context',
    ],
    ['no If-Match', () => ({ ...etag(''), headers: [json] }), 'If-Match'],
  ])('%s is refused', async (_, request, name) => {
    const outcome = await expectRequestRefused(authorised(request()), invalidHeader)
    expect(JSON.parse(outcome.answers[0]?.text ?? '').errors[0].path).toEqual([name])
  })

  test('two Authorization headers are refused in either order', async () => {
    const other = `Authorization: Bearer ${scene.stack.dev.other_api_token}`
    await expectRequestRefused({ headers: [bearer(), other] }, invalidHeader)
    await expectRequestRefused({ headers: [other, bearer()] }, invalidHeader)
    await expectRequestRefused({ headers: ['Authorization:', bearer()] }, invalidHeader)
  })

  test('two Host headers are refused', async () => {
    await expectRequestRefused(authorised({ headers: ['Host: other.example'] }), invalidHeader)
  })

  test('repeated headers are refused only after the caller is known', async () => {
    const headers = [json, 'Idempotency-Key: a', 'Idempotency-Key: b']
    await expectRequestRefused(post({ headers, body: '{}' }), missingCredential)
  })

  test('no header is lost among many others', async () => {
    const others = Array.from({ length: 990 }, () => 'a:1')
    const request = rawRequest({ headers: [...others, bearer()] })
    const { answers } = await exchange(scene.stack.dev.base_url, request, { answers: 1 })
    expect(answers[0]).toMatchObject({ status: 200 })
    await expectRequestRefused({ headers: [bearer(), ...others, bearer()] }, invalidHeader)
  })

  const manyHeaders = (count: number) => {
    // With Host.
    const others = Array.from({ length: count - 2 }, () => 'a:1')
    return { headers: [...others, bearer()] }
  }

  test('1001 headers are refused', () => expectRequestRefused(manyHeaders(1001), headersTooLarge))

  // From Node.js 22 on by the parser, so without an id.
  test.each([1002, 2500])('%d headers are refused', async count => {
    await expectRefused(rawRequest(manyHeaders(count)), headersTooLarge)
  })

  test.each([
    ['in one header', { headers: [`X-Long: ${'a'.repeat(17_000)}`] }],
    ['in many headers', { headers: Array.from({ length: 170 }, () => `X-Many: ${'a'.repeat(100)}`) }],
    ['in the target', { target: `/v1/installs?cursor=${'a'.repeat(17_000)}` }],
  ])('17 KB %s are refused', async (_, request) => {
    await expectRefused(rawRequest(authorised(request)), headersTooLarge)
  })
})
