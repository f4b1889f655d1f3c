// A bus without JetStream: everything is served, and events wait.
// In `npm test`: libs/bus/test/events/events.test.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectBus } from '@svc/bus/connection'
import { startNats } from '@svc/local/servers/embedded-nats'
import { repoRoot } from '@svc/local/repo-root'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { expect, onTestFinished, test } from 'vitest'
import { sender } from '@svc/testing/stack/driven-stack'
import { disorder, readEvents } from '@svc/testing/read-events'
import { startTestStack } from '@svc/testing/stack/stack'

test('services start and serve without JetStream, and publish everything once it is there', async () => {
  const secrets = newSecrets()
  const env = { ...natsEnv(secrets), AGENT_ISSUER_SEED: secrets.agentIssuer }
  const options = { configFile: join(repoRoot, 'deploy/nats/nats.conf'), env }
  const without = await startNats(options)
  onTestFinished(() => without.stop())
  const running = await startTestStack({ natsUrl: without.url, env, replicas: { activity: 2 } })
  onTestFinished(() => running.stop())
  const { dev, sql } = running
  const send = sender(running.baseUrls[0] ?? '')
  const ids: unknown[] = []
  for (let n = 0; n < 30; n++) {
    const { id } = await send('POST', '/offers', dev.api_token, { body: { product_id: dev.product_id } })
    ids.push(id)
  }
  const kept = () =>
    sql`select aggregate_id from activity.events where type = 'offers.created' order by position`
  await waitUntil('they are kept', async () => (await kept()).length === ids.length)
  expect((await kept()).map(({ aggregate_id }) => aggregate_id)).toEqual(ids)

  // Each replica logs it once, however often it tries.
  const complaints = () =>
    running.lines.filter(line => /^activity\S* .*"loop":"publish_events".*background work failed/.test(line))
  await waitUntil('a complaint', () => complaints().length > 0)
  const complaining = complaints().map(line => line.split(' ')[0])
  expect(new Set(complaining).size).toBe(complaining.length)

  await without.stop()
  const storeDir = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  onTestFinished(() => rm(storeDir, { recursive: true, force: true }))
  const with_ = await startNats({ ...options, storeDir, port: without.port })
  onTestFinished(() => with_.stop())
  // Not up to the last position: a batch that was read again after the restart has used up some.
  const behind = () => sql`
    select from activity.events e join activity.stream_position s on e.position > s.position limit 1`
  await waitUntil('a stream that has everything', async () => (await behind()).length === 0)
  const bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  onTestFinished(() => bus.close())
  const stored = await readEvents(bus)
  expect(disorder(stored)).toEqual({ late: [], twice: [] })
  const published = stored
    .filter(({ type }) => type === 'offers.created')
    .map(({ aggregate_id }) => aggregate_id)
  expect(published.sort()).toEqual(ids.sort())
})
