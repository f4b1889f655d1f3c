import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, portInUse } from '../src/free-port.ts'

test('free ports are below the ephemeral range and are not handed out twice', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  expect(ports.every(port => port >= 20_000 && port <= 32_000)).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'another process is not given a port that this one was, though nothing listens there',
  async () => {
    const port = await freePort()
    const claim = once(createServer().listen(`\0svc-port-${port}`), 'listening')
    await expect(claim).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)

test('a port that something listens on is in use', async () => {
  const port = await freePort()
  expect(await portInUse(port)).toBe(false)
  const server = createServer()
  await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
  expect(await portInUse(port)).toBe(true)
  server.close()
})
