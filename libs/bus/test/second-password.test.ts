/** Passwords that are changed one server and one client after the other. */
import { startNats } from '@svc/local/servers/embedded-nats'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTestConfig } from '@svc/testing/stack/nats-config'
import { expect, onTestFinished, test } from 'vitest'
import { connectBus } from '../src/connection.ts'
import { silent } from './test-bus.ts'

async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  const secrets = newSecrets()
  const env = natsEnv(secrets)
  const server = await startNats({ configFile: await writeTestConfig(folder), env })
  onTestFinished(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })
  const access = { NATS_URL: server.url, NATS_USER: 'offers', NATS_PASSWORD: secrets.nats.offers }
  /** From the next start on the server knows this password. */
  const change = (password: string) => {
    env.NATS_OFFERS_PASSWORD = password
    return server.restart()
  }
  return { access, change }
}

test('a client that knows both passwords stays while the server changes its own, and while it changes it back', async () => {
  const { access, change } = await startServer()
  const bus = await connectBus({ ...access, NATS_SECOND_PASSWORD: 'pwnext' }, silent)
  onTestFinished(() => bus.close())
  for (const [round, password] of ['pwnext', access.NATS_PASSWORD].entries()) {
    await change(password)
    await waitUntil('its return', () => bus.connected && bus.losses === round + 1)
    await bus.nc.flush()
  }
})

test('a start with the second password succeeds, and one with two wrong ones fails', async () => {
  const { access } = await startServer()
  const { NATS_PASSWORD } = access
  const late = await connectBus(
    { ...access, NATS_PASSWORD: 'pw1', NATS_SECOND_PASSWORD: NATS_PASSWORD },
    silent,
  )
  await late.nc.flush()
  await late.close()
  const wrong = connectBus({ ...access, NATS_PASSWORD: 'pw1', NATS_SECOND_PASSWORD: 'pw2' }, silent)
  await expect(wrong).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' })
})
