import { expect, test } from 'vitest'
import { addressKey } from '../../../src/edge/http/address-key.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3'],
])('%s is one of %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
