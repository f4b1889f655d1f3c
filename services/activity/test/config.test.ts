import { expect, test } from 'vitest'
import { activityConfig } from '../src/config.ts'

const { WEBHOOKS_PORTS, WEBHOOKS_PROXY } = activityConfig

test.each([
  'http://proxy.example.com:3128',
  'https://user:p%40ss@proxy.example.com',
  'http://[fd00::1]:3128/',
])('%s is a proxy for webhooks', value => expect(WEBHOOKS_PROXY.safeParse(value).data).toBe(value))

test.each([
  'proxy.example.com:3128',
  'socks5://proxy.example.com:1080',
  'http://proxy.example.com/path',
  'http://user:p%ss@proxy.example.com',
  'http://user:4711/@proxy.example.com',
])('%s is none, and the reason does not repeat it', value => {
  const { message } = WEBHOOKS_PROXY.safeParse(value).error?.issues[0] ?? {}
  expect(message).toBe('must be http://host:port or http://user:password@host:port, also with https')
})

test('further ports for webhooks are numbers', () => {
  expect(WEBHOOKS_PORTS.parse(undefined)).toEqual([])
  expect(WEBHOOKS_PORTS.parse('8443,9443')).toEqual([8443, 9443])
  for (const value of ['all', '8443;9443', '8000-9000'])
    expect(WEBHOOKS_PORTS.safeParse(value).success).toBe(false)
})
