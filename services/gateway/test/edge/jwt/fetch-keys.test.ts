// What is accepted from an issuer's server, and what is not.
import { generateKeyPairSync } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { scaled } from '@svc/contract/core/deadline-scale'
import { freePort } from '@svc/local/free-port'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fetchKeys } from '../../../src/edge/jwt/fetch-keys.ts'

const jwkOf = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid,
})

describe('a JWK Set over HTTP', () => {
  let server: Server
  let url: string
  let requests = 0
  let answer: Parameters<typeof createServer>[1]
  beforeEach(async () => {
    requests = 0
    server = createServer((request, response) => {
      requests++
      return answer?.(request, response)
    })
    const port = await freePort()
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${port}/jwks`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test('is read', async () => {
    const jwk = jwkOf('one')
    answer = (_request, response) => response.end(JSON.stringify({ keys: [jwk] }))
    expect(await fetchKeys(url)).toEqual([jwk])
  })

  const padding = 'x'.repeat(70_000)
  test.each<[string, Parameters<typeof createServer>[1], RegExp, number?]>([
    ['a redirect', (_q, r) => r.writeHead(302, { location: `${url}/other` }).end(), /cannot be read/],
    ['status 500', (_q, r) => r.writeHead(500).end('{"keys":[]}'), /status 500/],
    ['status 404', (_q, r) => r.writeHead(404).end(), /status 404/],
    ['no JSON', (_q, r) => r.end('<html>'), /JSON/],
    ['no set', (_q, r) => r.end('[]'), /not a JWK Set/],
    ['keys that are no list', (_q, r) => r.end('{"keys":{}}'), /not a JWK Set/],
    ['more than 64 KB', (_q, r) => r.end(JSON.stringify({ keys: [], padding })), /larger than 65536/],
    [
      'more than 64 KB when it is unpacked',
      (_q, r) =>
        r
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(JSON.stringify({ keys: [], padding: padding.repeat(10) }))),
      /larger than 65536/,
    ],
    ['a broken connection', request => request.socket.destroy(), /cannot be read/],
    ['nothing', () => {}, /cannot be read: .*timeout/, scaled(1000)],
    ['a beginning, and nothing after it', (_q, r) => r.write('{"keys":['), /timeout/, scaled(1000)],
  ])('%s is not a JWK Set, after one request', async (_name, given, message, timeoutMs) => {
    answer = given
    await expect(fetchKeys(url, timeoutMs)).rejects.toThrow(message)
    expect(requests).toBe(1)
  })
})
