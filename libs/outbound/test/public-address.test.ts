import { expect, test } from 'vitest'
import { isLoopbackAddress, isPublicAddress } from '../src/public-address.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.255.255.255'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.255.255'],
  ['shared', '100.64.0.1'],
  ['metadata of Alibaba Cloud', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['metadata of most clouds', '169.254.169.254'],
  ['metadata of Azure', '168.63.129.16'],
  ['metadata of Oracle', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.7'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['compatible with IPv4', '::127.0.0.1'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped, of a public one', '::ffff:8.8.8.8'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of one network', '64:ff9b:1::7f00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  ['benchmarking', '2001:2::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['6to4', '2002:7f00:1::'],
  ['documentation', '3fff::1'],
  ['not assigned', '4000::1'],
  ['segment routing', '5f00::1'],
  ['metadata of AWS', 'fd00:ec2::254'],
  ['unique local', 'fc00::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['no address', 'localhost'],
  ['no address', ''],
])('%s: %s is not public', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', false],
  ['128.0.0.1', false],
  ['10.0.0.1', false],
  ['localhost', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})
