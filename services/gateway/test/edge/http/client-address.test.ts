import { header } from '@svc/bus/wire'
import { refusal } from '@svc/contract/core/errors'
import { createApiToken } from '@svc/runtime/credential'
import { createLog } from '@svc/runtime/log'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canonicalAddress, clientAddress } from '../../../src/edge/http/client-address.ts'
import { originOf } from '../../../src/edge/http/origin.ts'
import { createServer } from '../../../src/server.ts'

test.each([
  ['203.0.113.8', '203.0.113.8'],
  // Azure Application Gateway
  ['203.0.113.8:4711', '203.0.113.8'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  // RFC 7239, 6
  ['"[2001:db8::1]:4711"', '2001:db8::1'],
  ['"203.0.113.8"', '203.0.113.8'],
  ['2001:0DB8:0:0::0001', '2001:db8::1'],
  ['2001:db8::203.0.113.8', '2001:db8::cb00:7108'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['::FFFF:cb00:7108', '203.0.113.8'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is the address %s', (text, address) => {
  expect(canonicalAddress(text)).toBe(address)
})

test.each([
  '',
  'unknown',
  '_hidden',
  'localhost',
  '203.0.113.8:',
  '203.0.113.8:x',
  '203.0.113.8:4711:1',
  '203.0.113.8:471100',
  '203.0.113',
  '203.0.113.08',
  '0xcb007108',
  '[203.0.113.8]:',
  '[2001:db8::1',
  '2001:db8::1]:4711',
  '[::1]x',
  '203.0.113.8\n',
  'a'.repeat(10_000),
])('%j is no address', text => {
  expect(canonicalAddress(text)).toBeUndefined()
})

const isProxy = (address: string) => /^(10\.|fd00:)/.test(address)

describe('the client', () => {
  test.each([
    ['without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['of a connection that is no proxy’s', '192.0.2.1', '203.0.113.8', '192.0.2.1'],
    ['of a proxy', '10.0.0.1', '203.0.113.8', '203.0.113.8'],
    ['of a proxy over IPv6', '::ffff:10.0.0.1', '203.0.113.8', '203.0.113.8'],
    [
      'of a proxy that appends to what the client invented',
      '10.0.0.1',
      '1.1.1.1, 203.0.113.8',
      '203.0.113.8',
    ],
    ['of several proxies', 'fd00::1', '1.1.1.1, 203.0.113.8:80,10.0.0.2:443', '203.0.113.8'],
    ['of proxies alone', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['of a proxy that names none', '10.0.0.1', '203.0.113.8, unknown', '10.0.0.1'],
    ['of an empty header', '10.0.0.1', ' , ', '10.0.0.1'],
    ['that is gone', undefined, '203.0.113.8', ''],
  ])('%s', (_, remote, forwardedFor, address) => {
    expect(clientAddress(remote, forwardedFor, isProxy)).toBe(address)
  })
})

test('behind a proxy that adds ports, services and limits get the same address for each', async () => {
  const given = new Set<string | undefined>()
  const app = createServer({
    call: async ({ headers }) => {
      given.add(headers?.[header.address])
      throw refusal('not_found')
    },
    resolve: async () => ({ kind: 'api_token', id: 'tok_1', workspace: 'ws_1', role: 'member' }),
    connected: () => true,
    publicUrl: 'http://localhost',
    trustedProxies: ['10.0.0.0/8'],
    signingKeys: () => [],
    maxInFlight: 10,
    log: createLog('test', 'silent'),
  })
  onTestFinished(() => app.close())
  const origins = new Set<string>()
  app.addHook('onResponse', async request => void origins.add(originOf(request).address))
  for (const port of [1, 2, 3]) {
    const headers = {
      authorization: `Bearer ${createApiToken()}`,
      'x-forwarded-for': `203.0.113.8:${port}, 10.0.0.2:${port}`,
    }
    const { statusCode } = await app.inject({ url: '/v1/offers', remoteAddress: '::ffff:10.0.0.1', headers })
    expect(statusCode).toBe(404)
  }
  expect([...given]).toEqual(['203.0.113.8'])
  expect([...origins]).toEqual(['203.0.113.8'])
})
