import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkBus, externalBus } from '../src/bus-access.ts'
import { checkDatabase } from '../src/servers/check-database.ts'
import { freePort } from '../src/free-port.ts'

test('credentials in the URL are shared by all users, and the URL that is passed on has none', () => {
  const bus = externalBus('nats://ann:p%40ss@bus.example:4222,nats://ann:p%40ss@other.example:4222', {})
  expect(bus('offers')).toEqual({
    NATS_URL: 'nats://bus.example:4222,nats://other.example:4222',
    NATS_USER: 'ann',
    NATS_PASSWORD: 'p@ss',
  })
})

test('without credentials each user has its own password, and all that are missing are named at once', () => {
  expect(() => externalBus('nats://bus:4222', { NATS_OFFERS_PASSWORD: 'x' })).toThrow(
    /NATS_GATEWAY_PASSWORD, NATS_AUTH_TOKENS_PASSWORD, NATS_COMPUTE_PASSWORD/,
  )
})

test('a dead bus is named by host and port, without its password', async () => {
  const port = await freePort()
  const refused = await checkBus(`nats://ann:secret@127.0.0.1:${port}`).catch(error => error.message)
  expect(refused).toMatch(new RegExp(`^NATS_URL: .*127\\.0\\.0\\.1:${port}: .*ECONNREFUSED`))
  expect(refused).not.toContain('secret')
})

test('something that is not NATS is refused', async () => {
  const port = await freePort()
  const other = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>(done => other.listen(port, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  await expect(checkBus(`127.0.0.1:${port}`)).rejects.toThrow('what answers there is not a NATS server')
})

test('a dead database is named by host and port, without its password', async () => {
  const port = await freePort()
  const refused = await checkDatabase(`postgres://ann:secret@127.0.0.1:${port}/x`).catch(
    error => error.message,
  )
  expect(refused).toMatch(new RegExp(`^DATABASE_URL: .*127\\.0\\.0\\.1:${port} .*ECONNREFUSED`))
  expect(refused).not.toContain('secret')
  await expect(checkDatabase('nonsense')).rejects.toThrow('DATABASE_URL must be a postgres:// URL')
})
