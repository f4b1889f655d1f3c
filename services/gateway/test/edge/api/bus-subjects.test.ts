// The gateway's own calls are in its files, and what it may call is in the contract.
import { operations } from '@svc/contract/services'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = new URL('../../../src', import.meta.url).pathname
const invoked = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path))
  .flatMap(path => [
    ...readFileSync(join(source, path), 'utf8').matchAll(/\binvoke\((?:[^,()]*, )?(\w+), '(\w+)'/g),
  ])
  .map(([, service = '', name = '']) => `${service === 'authTokens' ? 'auth-tokens' : service}.${name}`)

const label = ({ service, name }: { service: string; name: string }) => `${service}.${name}`
const all = operations.map(label)
const forGateway = operations.filter(({ operation }) => operation.access.gateway).map(label)
const forwarded = operations.filter(({ operation }) => operation.http).map(label)

test('the gateway invokes operations that the bus lets it call', () => {
  expect(invoked.length).toBeGreaterThan(forGateway.length - 1)
  expect(invoked.filter(one => !all.includes(one))).toEqual([])
  expect(invoked.filter(one => !forGateway.includes(one) && !forwarded.includes(one))).toEqual([])
})

test('the bus lets it call nothing for itself that it does not invoke', () => {
  expect(forGateway.filter(one => !invoked.includes(one))).toEqual([])
})
