import { ConfigError, readConfig } from '@svc/runtime/config'
import { expect, test } from 'vitest'
import { trustedProxies } from '../../../src/edge/http/trusted-proxies.ts'

const read = (TRUST_PROXY?: string) =>
  readConfig({ TRUST_PROXY: trustedProxies }, { TRUST_PROXY }).TRUST_PROXY

test.each<[string | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  [' 192.0.2.1 , ::1,2001:db8::/32,', ['192.0.2.1', '::1', '2001:db8::/32']],
])('%j names %j', (text, proxies) => {
  expect(read(text)).toEqual(proxies)
})

// A gateway that trusts everyone believes any address from anyone.
test.each([
  'true',
  '*',
  '1',
  'loopback',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0/8',
  '10.0.0.0/8/8',
  '10.0.0.0/x',
])('%s is refused at the start', text => {
  expect(() => read(text)).toThrow(ConfigError)
  expect(() => read(`127.0.0.1,${text}`)).toThrow(/TRUST_PROXY: must be addresses or networks/)
})
