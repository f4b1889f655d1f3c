// What is not HTTP/1.1 is refused in the documented shape, never forwarded, and does not hold up others.
import { scaled } from '@svc/contract/core/deadline-scale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, expectRefusal } from '../../answers.ts'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
import { type RawRequest, exchange, rawRequest } from '../../raw-http.ts'
import { invalidBody, malformedRequest, tooLate, json, post, refusalScene } from './refusal-scene.ts'

const scene = refusalScene()
const { bearer, authorised, expectRequestRefused } = scene

describe('what is not HTTP/1.1', () => {
  test.each<[string, () => RawRequest]>([
    ['no Host', () => authorised({ host: false })],
    [
      'an expectation that nobody meets',
      () => authorised(post({ headers: [json, 'Expect: foo'], body: '{}' })),
    ],
    ['HTTP/0.9', () => authorised({ version: 'HTTP/0.9' })],
    ['HTTP/2.0 in a request line', () => authorised({ version: 'HTTP/2.0' })],
  ])('%s is refused, and the connection closed', async (_, request) => {
    const { answers } = await expectRequestRefused(request(), malformedRequest)
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  const chunked = 'Transfer-Encoding: chunked'
  const length = (value: string) => `Content-Length: ${value}`
  const coding = (value: string) => `Transfer-Encoding: ${value}`
  const end = '0\r\n\r\n'
  const offer = (headers: string[], body: string) => () =>
    rawRequest(post({ headers: [json, ...headers], body }))
  const list = (header: string) => () => rawRequest({ headers: [bearer(), header] })
  test.each<[string, () => string | Buffer]>([
    ['an unknown method', () => rawRequest({ method: 'FOO' })],
    ['HTTP/1.2', () => rawRequest({ version: 'HTTP/1.2' })],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['garbage', () => '\x00\x01\x02garbage\r\n\r\n'],
    ['Content-Length with Transfer-Encoding', offer([length('5'), chunked], end)],
    ['Transfer-Encoding with Content-Length', offer([chunked, length('5')], end)],
    ['two Content-Length', offer([length('2'), length('3')], '{}')],
    ['two equal Content-Length', offer([length('2'), length('2')], '{}')],
    ['a list in Content-Length', offer([length('2, 2')], '{}')],
    ['a Content-Length with a sign', offer([length('+2')], '{}')],
    ['a negative Content-Length', offer([length('-1')], '{}')],
    ['a Content-Length in hex', offer([length('0x2')], '{}')],
    ['a Content-Length beyond all', offer([length('9'.repeat(30))], '{}')],
    ...[
      'xchunked',
      'chunked, identity',
      ', chunked',
      'chunked,',
      'chunked, chunked',
      'gzip, chunked',
      'identity',
    ]
      .concat('x, chunked', 'chunked;a=b')
      .map((value): [string, () => Buffer] => [
        `the Transfer-Encoding ${value}`,
        offer([coding(value)], end),
      ]),
    ['two Transfer-Encoding', offer([chunked, chunked], end)],
    ['a folded Transfer-Encoding', offer([coding('\r\n chunked')], end)],
    [
      'Transfer-Encoding with HTTP/1.0',
      () => rawRequest(post({ version: 'HTTP/1.0', headers: [chunked], body: end })),
    ],
    ['a chunk size that is none', offer([chunked], `zz\r\n{}\r\n${end}`)],
    ['a chunk that ends in LF', offer([chunked], `2\n{}\r\n${end}`)],
    ['a chunk extension that ends in LF', offer([chunked], `2;\n{}\r\n${end}`)],
    ['lines that end in LF', () => `GET /v1/installs HTTP/1.1\nHost: a\n${bearer()}\n\n`],
    ['one line that ends in LF', () => `GET /v1/installs HTTP/1.1\r\nHost: a\n${bearer()}\r\n\r\n`],
    ['headers that end in LF', () => `GET /v1/installs HTTP/1.1\r\nHost: a\r\n${bearer()}\r\n\n`],
    ['lines that end in CR', () => `GET /v1/installs HTTP/1.1\rHost: a\r${bearer()}\r\r`],
    ['a space before the colon', list('Svc-Context : a')],
    ['a header without a name', list(': a')],
    ['a null in a header', list('X-Null: a\u0000b')],
    ['a null in a name', list('X-\u0000: b')],
  ])('%s is refused, and the connection closed', async (_, bytes) => {
    const outcome = await exchange(scene.stack.dev.base_url, bytes())
    expect(outcome.closed).toBe(true)
    expect(outcome.answers).toHaveLength(1)
    for (const answer of outcome.answers) expectRefusal(answer, malformedRequest)
  })

  test('HTTP/1.0 is answered, and the connection closed', async () => {
    const request = rawRequest(authorised({ version: 'HTTP/1.0', host: false }))
    const { answers, closed } = await exchange(scene.stack.dev.base_url, request)
    expect(closed).toBe(true)
    expect(answers).toMatchObject([{ status: 200 }])
  })

  test('Expect: 100-continue is honored', async () => {
    await expectRequestRefused(
      authorised(post({ headers: [json, 'Expect: 100-continue'], body: '{}' })),
      invalidBody,
    )
  })

  test('a smuggled second request is not executed', async () => {
    const inner = rawRequest(
      authorised(post({ headers: [json], body: JSON.stringify({ product_id: scene.stack.dev.product_id }) })),
    )
    const offersBefore = await countOffers()
    for (const headers of [
      [json, 'Content-Length: 5', chunked],
      [json, `Content-Length: ${5 + inner.length}`, 'Content-Length: 5'],
      [json, 'Transfer-Encoding : chunked', `Content-Length: ${5 + inner.length}`],
    ]) {
      const request = rawRequest(
        authorised(post({ headers, body: Buffer.concat([Buffer.from('0\r\n\r\n'), inner]) })),
      )
      const { answers } = await exchange(scene.stack.dev.base_url, request)
      expect(answers).toHaveLength(1)
      for (const answer of answers) expectRefusal(answer, malformedRequest)
    }
    expect(await countOffers()).toBe(offersBefore)
  })
})

async function countOffers(): Promise<number> {
  const { sql, dev } = scene.stack
  const [row] = await sql`
    select count(*)::int as count from offers.offers where workspace_id = ${dev.workspace_id}`
  return row?.count
}

describe('several requests on one connection', () => {
  test('are answered in order', async () => {
    const requests = [
      rawRequest(authorised({})),
      rawRequest({ target: '/v1/nope' }),
      rawRequest({}),
      rawRequest(authorised(post({ headers: [json], body: '{' }))),
      rawRequest(authorised({ target: '/v1/api_tokens' })),
    ]
    const { answers } = await exchange(scene.stack.dev.base_url, Buffer.concat(requests), { answers: 5 })
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 400, 200])
    expect(new Set(answers.map(({ headers }) => headers.get('svc-request-id'))).size).toBe(5)
  })

  test('what is not HTTP is refused after the answers to the requests before it', async () => {
    const create = rawRequest(
      authorised(post({ headers: [json], body: JSON.stringify({ product_id: scene.stack.dev.product_id }) })),
    )
    const bytes = Buffer.concat([create, rawRequest(authorised({})), Buffer.from('garbage\r\n\r\n')])
    const { answers, closed } = await exchange(scene.stack.dev.base_url, bytes)
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 400])
    expect(closed).toBe(true)
  })
})

describe.concurrent('slow clients', () => {
  let gateway: GatewayHere
  beforeAll(async () => {
    gateway = await startGatewayHere(scene.stack, { arrivalMs: scaled(1000) })
  })
  afterAll(() => gateway?.stop())

  const unfinishedBody = () =>
    rawRequest(authorised(post({ headers: [json, 'Content-Length: 1000'], body: '{' }))).toString('latin1')
  const unfinishedChunks = () =>
    rawRequest(authorised(post({ headers: [json, 'Transfer-Encoding: chunked'], body: '' }))).toString(
      'latin1',
    )

  const slow: [string, () => string, string | undefined, boolean][] = [
    ['send nothing', () => '', undefined, false],
    ['send one byte', () => 'G', undefined, false],
    ['stop in the headers', () => 'GET /v1/installs HTTP/1.1\r\nHost: a\r\n', undefined, false],
    ['send headers that never end', () => 'GET /v1/installs HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n', false],
    ['stop in the body', unfinishedBody, undefined, true],
    ['send a body byte by byte', unfinishedBody, ' ', true],
    ['send a body of tiny chunks', unfinishedChunks, '1\r\n \r\n', true],
  ]

  test('are dropped with 408, while others are served', async () => {
    const dropped = Promise.all(
      slow.flatMap(([name, first, drip, isRequest]) =>
        Array.from({ length: 5 }, async () => {
          const { answers, closed } = await exchange(gateway.url, first(), { drip })
          expect(closed, name).toBe(true)
          expect(answers, name).toHaveLength(1)
          for (const answer of answers) {
            expectRefusal(answer, tooLate)
            expect(answer.headers.get('svc-request-id') !== null, name).toBe(isRequest)
          }
        }),
      ),
    )
    const headers = { authorization: `Bearer ${scene.stack.dev.api_token}` }
    expect((await ask(`${gateway.url}/v1/installs`, { headers })).status).toBe(200)
    await dropped
  })

  test('connections that have been answered are dropped without a second answer', async () => {
    const requests = [
      [401, post({ headers: [json, 'Content-Length: 1000'], body: '{' })],
      [404, { method: 'POST', target: '/v1/nope', headers: [json, 'Content-Length: 1000'], body: '{' }],
      [200, authorised({ headers: ['Content-Length: 1000'], body: '{' })],
    ] as const
    await Promise.all(
      requests.map(async ([status, request]) => {
        const { answers, closed } = await exchange(gateway.url, rawRequest(request))
        expect(answers.map(answer => answer.status)).toEqual([status])
        expect(closed).toBe(true)
      }),
    )
  })

  test('that keep a refused connection half open are disconnected', async () => {
    const { answers, closed } = await exchange(gateway.url, 'garbage\r\n\r\n', {
      halfOpen: true,
      drip: 'x',
    })
    expect(answers).toHaveLength(1)
    expect(closed).toBe(true)
  })
})
