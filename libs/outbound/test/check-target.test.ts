import { describe, expect, test } from 'vitest'
import { checkTarget } from '../src/check-target.ts'

const atMost = `https://hooks.example.com/${'x'.repeat(2048)}`.slice(0, 2048)

test.each([
  'https://hooks.example.com',
  'https://hooks.example.com:443/in?a=b&c=%20d',
  'HTTPS://HOOKS.EXAMPLE.COM/in',
  'https://hooks.example.com./in',
  'https://xn--bcher-kva.example/in',
  'https://8.8.8.8/in',
  'https://[2606:4700:4700::1111]/in',
  atMost,
])('%s is allowed', url => {
  expect(checkTarget(url, { allowLoopback: false })).toBeUndefined()
})

test.each([
  ['', /not a URL/],
  ['hooks.example.com/in', /not a URL/],
  ['https://', /not a URL/],
  ['https://[fe80::1%25eth0]/', /not a URL/],
  ['https://hooks.example.com:99999/', /not a URL/],
  ['http://hooks.example.com/in', /https/],
  ['ftp://hooks.example.com/in', /https/],
  ['file:///etc/passwd', /https/],
  ['data:text/plain,x', /https/],
  ['https://ada@hooks.example.com/', /user name/],
  ['https://:secret@hooks.example.com/', /user name/],
  ['https://hooks.example.com/#', /fragment/],
  ['https://hooks.example.com/in#part', /fragment/],
  ['https://hooks.example.com:8443/', 'The URL must have no port but 443.'],
  ['https://hooks.example.com:80/', /no port but 443/],
  ['https://8.8.8.8:22/', /no port but 443/],
  ['https://hooks.example.com/a b', /space/],
  [' https://hooks.example.com/', /space/],
  ['https://hooks.exam\nple.com/', /space/],
  ['https:\\\\hooks.example.com/', /backslash/],
  ['https://bücher.example/', /ASCII/],
  [`${atMost}x`, /2048/],
])('%j is refused', (url, problem) => {
  expect(checkTarget(url, { allowLoopback: true })).toMatch(problem)
})

test('the operator names further ports', () => {
  const rules = { allowLoopback: false, ports: [8443, 9443] }
  expect(checkTarget('https://hooks.example.com:8443/in', rules)).toBeUndefined()
  expect(checkTarget('https://10.0.0.1:8443/in', rules)).toMatch(/public address/)
  expect(checkTarget('https://hooks.example.com:22/', rules)).toBe(
    'The URL must have no port but 443 or 8443 or 9443.',
  )
})

describe('loopback', () => {
  test.each([
    'http://localhost:8080/in',
    'http://127.0.0.1/in',
    'http://127.1.2.3:8080/in',
    'http://[::1]:8080/in',
    'https://localhost:8443/in',
  ])('%s is for who allows it', url => {
    expect(checkTarget(url, { allowLoopback: true })).toBeUndefined()
    expect(checkTarget(url, { allowLoopback: false })).toMatch(/https|no port/)
  })

  test.each(['http://10.0.0.1/', 'http://0.0.0.0/', 'http://app.localhost/', 'http://[::ffff:127.0.0.1]/'])(
    '%s is not a part of it',
    url => {
      expect(checkTarget(url, { allowLoopback: true })).toMatch(/https/)
      expect(checkTarget(url.replace('http:', 'https:'), { allowLoopback: true })).toMatch(/public address/)
    },
  )
})
