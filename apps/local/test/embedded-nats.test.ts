import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findNatsServer, greeting, type NatsOptions, startNats } from '../src/servers/embedded-nats.ts'
import { freePort } from '../src/free-port.ts'
import { repoRoot } from '../src/repo-root.ts'
import { natsEnv, newSecrets } from '../src/secrets.ts'
import { waitUntil } from '../src/wait-until.ts'
import { tempFolder } from './temp-folder.ts'

const options: NatsOptions = {
  configFile: join(repoRoot, 'deploy/nats/nats.conf'),
  env: natsEnv(newSecrets()),
}

test('a server starts, survives kill -9 on the same port, and stops', async () => {
  const server = await startNats(options)
  onTestFinished(() => server.stop())
  expect(server.url).toBe(`nats://127.0.0.1:${server.port}`)
  const { pid } = server
  await server.kill('SIGKILL')
  await waitUntil('its end', () => !server.running())
  await server.restart()
  expect(server.pid).not.toBe(pid)
  expect(await greeting('127.0.0.1', server.port)).toContain('"auth_required":true')
  await server.stop()
  await expect(greeting('127.0.0.1', server.port)).rejects.toThrow()
})

test('an unexpected exit is reported', async () => {
  let how = ''
  const server = await startNats({
    ...options,
    onCrash: text => {
      how = text
    },
  })
  await server.kill('SIGKILL')
  await waitUntil('the report', () => how !== '')
  expect(how).toContain('signal SIGKILL')
})

test('a server that hangs is stopped anyway', async () => {
  const server = await startNats(options)
  await server.kill('SIGSTOP')
  await server.stop()
  expect(server.running()).toBe(false)
})

test('a port in use is named', async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>(done => other.listen(port, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  await expect(startNats({ ...options, port })).rejects.toThrow(`port ${port} on 127.0.0.1 is in use`)
})

test('a password that is not set is named', async () => {
  const { NATS_COMPUTE_PASSWORD: _, ...env } = options.env
  await expect(startNats({ ...options, env })).rejects.toThrow('NATS_COMPUTE_PASSWORD, which is not set')
})

test('a missing program is reported with what to do', async () => {
  await expect(startNats({ ...options, binary: '/nowhere/nats-server' })).rejects.toThrow(/NATS_URL/)
  await expect(findNatsServer({ PATH: '/nowhere' }, '/nowhere')).rejects.toThrow(
    /nats-server .*on PATH.*NATS_URL/,
  )
  await expect(findNatsServer({ SVC_NATS_SERVER: '/nowhere/x' })).rejects.toThrow(
    'SVC_NATS_SERVER names /nowhere/x',
  )
})

test('a program on PATH is used if npm installed none', async () => {
  const folder = await tempFolder()
  await mkdir(join(folder, 'bin'))
  const program = join(folder, 'bin/nats-server')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  expect(await findNatsServer({ PATH: `/nowhere:${join(folder, 'bin')}` }, folder)).toBe(program)
})
