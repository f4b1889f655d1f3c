import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, databaseConfig, processConfig, publicConfig, readConfig } from '../src/config.ts'

const everything = {
  NATS_URL: 'nats://127.0.0.1:4222',
  NATS_USER: 'offers',
  NATS_PASSWORD: 'pw1',
  DATABASE_URL: 'postgres://offers:pw2@127.0.0.1/svc',
}
const shape = { ...processConfig, ...databaseConfig }

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(shape, env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message.split('\n').slice(1)
  }
  return []
}

test('a variable that is not set has its default', () => {
  expect(readConfig(shape, everything)).toEqual({
    ...everything,
    LOG_LEVEL: 'info',
    HEALTH_PORT: 9090,
    HEALTH_HOST: '0.0.0.0',
    DRAIN_TIMEOUT_MS: 10_000,
    DATABASE_POOL_SIZE: 8,
    DATABASE_QUEUE_LIMIT: 512,
  })
})

test('a variable that is set counts, and unknown ones are ignored', () => {
  const config = readConfig(shape, { ...everything, HEALTH_PORT: '0', LOG_LEVEL: 'warn', OTHER: 'x' })
  expect(config).toMatchObject({ HEALTH_PORT: 0, LOG_LEVEL: 'warn' })
  expect(config).not.toHaveProperty('OTHER')
})

test('an empty variable counts as absent', () => {
  expect(readConfig(shape, { ...everything, HEALTH_PORT: '', LOG_LEVEL: '' })).toMatchObject({
    HEALTH_PORT: 9090,
    LOG_LEVEL: 'info',
  })
  expect(problemsOf({ ...everything, NATS_URL: '' })).toEqual(['  NATS_URL: is not set'])
})

test('all problems are reported at once, each with its variable', () => {
  const problems = problemsOf({
    NATS_USER: 'offers',
    DATABASE_URL: 'mysql://x',
    DATABASE_POOL_SIZE: '0',
    DATABASE_QUEUE_LIMIT: 'many',
    HEALTH_PORT: '70000',
    LOG_LEVEL: 'loud',
    DRAIN_TIMEOUT_MS: '-1',
  })
  expect(problems.map(line => line.trim().split(':')[0])).toEqual([
    'NATS_PASSWORD',
    'NATS_URL',
    'LOG_LEVEL',
    'HEALTH_PORT',
    'DRAIN_TIMEOUT_MS',
    'DATABASE_URL',
    'DATABASE_POOL_SIZE',
    'DATABASE_QUEUE_LIMIT',
  ])
  expect(problems.slice(0, 2)).toEqual([
    '  NATS_PASSWORD: is not set, and neither is NATS_NKEY_SEED',
    '  NATS_URL: is not set',
  ])
})

test('a user of the bus has a password or an nkey', () => {
  const { NATS_PASSWORD, ...rest } = everything
  const NATS_NKEY_SEED = `SU${'A'.repeat(56)}`
  expect(problemsOf({ ...rest, NATS_NKEY_SEED })).toEqual([])
  expect(problemsOf({ ...rest, NATS_NKEY_SEED, NATS_PASSWORD })).toEqual([
    '  NATS_PASSWORD: must not be set together with NATS_NKEY_SEED',
  ])
  expect(problemsOf({ ...rest, NATS_NKEY_SEED: 'UAAA' })).toEqual([
    '  NATS_NKEY_SEED: must be the seed of a user’s nkey (SU…)',
  ])
  // A program without a bus needs neither.
  expect(readConfig(databaseConfig, everything)).toMatchObject({ DATABASE_POOL_SIZE: 8 })
})

describe('no value is echoed', () => {
  test.each(Object.keys(shape))('%s', name => {
    const secret = 'hunter2-\u0000-secret'
    expect(problemsOf({ ...everything, [name]: secret }).join()).not.toContain('hunter2')
  })
})

test.each(['1.5', '1e99', 'NaN', '0x', '8 080', 'true'])('%s is not a port', value => {
  const problems = problemsOf({ ...everything, HEALTH_PORT: value })
  expect(problems.map(line => line.trim().split(':')[0])).toContain('HEALTH_PORT')
})

test('a program can add its own variables', () => {
  const own = { MAX_MACHINES: z.coerce.number().int().min(1).default(1000) }
  expect(readConfig(own, {})).toEqual({ MAX_MACHINES: 1000 })
  expect(readConfig(own, { MAX_MACHINES: '7' })).toEqual({ MAX_MACHINES: 7 })
  expect(() => readConfig(own, { MAX_MACHINES: '0' })).toThrow('MAX_MACHINES')
})

describe('PUBLIC_URL', () => {
  const read = (PUBLIC_URL: string) => readConfig(publicConfig, { PUBLIC_URL }).PUBLIC_URL

  test.each([
    ['https://svc.example.com', 'https://svc.example.com'],
    ['https://svc.example.com/', 'https://svc.example.com'],
    ['https://SVC.example.com:443', 'https://svc.example.com'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ])('%s is the issuer %s', (given, issuer) => {
    expect(read(given)).toBe(issuer)
  })

  test.each([
    'https://svc.example.com/base',
    'https://svc.example.com/?a=b',
    'https://svc.example.com/#top',
    'https://a:b@svc.example.com',
    'ftp://svc.example.com',
    'svc.example.com',
  ])('%s is refused', given => {
    expect(() => read(given)).toThrow(ConfigError)
  })
})
