// Each event is kept once, in the order of its aggregate, whatever becomes of the stream and the processes meanwhile.
// In `npm test`: kills.test.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '@svc/local/servers/embedded-nats'
import { repoRoot } from '@svc/local/repo-root'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { startLoad } from '@svc/testing/load'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { expect, onTestFinished, test } from 'vitest'
import { addPeople, changeRoles, killReplica, someOffers, someRefusals } from './kill-scene.ts'

const outboxes = ['offers', 'auth_tokens', 'compute']

/** Every offer and every acknowledged change has its event, once and in order; and nothing waits any more. */
async function everythingIsKept({ sql, dev }: TestStack, acknowledged: readonly (string | undefined)[]) {
  await waitUntil('empty outboxes', async () => {
    const left = await Promise.all(outboxes.map(schema => sql`select from ${sql(schema)}.outbox`))
    return left.every(rows => rows.length === 0)
  }).catch(async error => {
    const left = outboxes.map(
      schema => sql`
        select ${schema} as schema, array_agg(sequence || ' ' || subject) as first
        from (select * from ${sql(schema)}.outbox order by sequence limit 5) o`,
    )
    error.message += `: ${JSON.stringify(await Promise.all(left))}`
    throw error
  })
  const twice = await sql`
    select id, workspace_id from activity.events group by id, workspace_id having count(*) > 1`
  expect(twice).toEqual([])
  const late = await sql`
    select * from (
      select aggregate_id, sequence, lag(sequence) over (partition by workspace_id, aggregate_id order by position) as before
      from activity.events
    ) e where before >= sequence`
  expect(late).toEqual([])
  const missing = await sql`
    select o.id from offers.offers o where not exists (
      select from activity.events e
      where e.workspace_id = o.workspace_id and e.aggregate_id = o.id and e.type = 'offers.created'
    )`
  expect(missing).toEqual([])
  const kept = await sql`
    select aggregate_id from activity.events where workspace_id = ${dev.workspace_id} and type = 'offers.created'`
  const known = new Set(kept.map(({ aggregate_id }) => aggregate_id))
  expect(acknowledged.filter(id => !known.has(id))).toEqual([])
}

test('JetStream loses its files, and every replica of activity is killed, while a transaction with an earlier event stays open', async () => {
  const secrets = newSecrets()
  const env = { ...natsEnv(secrets), AGENT_ISSUER_SEED: secrets.agentIssuer }
  const storeDir = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  onTestFinished(() => rm(storeDir, { recursive: true, force: true }))
  const options = { configFile: join(repoRoot, 'deploy/nats/nats.conf'), env, storeDir }
  let nats = await startNats(options)
  onTestFinished(() => nats.stop())
  const running = await startTestStack({
    natsUrl: nats.url,
    env,
    replicas: { activity: 2 },
  })
  onTestFinished(() => running.stop())
  const { dev, sql, stack, baseUrls } = running
  const people = await addPeople(running)
  const stopChanging = changeRoles(running, people, 20)
  const body = { product_id: dev.product_id }
  const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 4, pauseMs: 10 })

  const held = await holdTransaction(sql, async tx => {
    await tx`
        insert into offers.outbox (aggregate_id, subject, payload)
        values ('offer_rolled_back', 'events.offers.revoked', '{"workspace_id":"ws_none"}')`
  })
  const late = await sql.reserve()
  await late`begin`
  await late`
      insert into offers.outbox (aggregate_id, subject, payload)
      values ('offer_late', 'events.offers.revoked', ${sql.json({ workspace_id: dev.workspace_id })})`
  for (const replica of stack.processes.activity) {
    await someOffers(load, 50)
    await killReplica(replica)
  }
  const { port } = nats
  await nats.kill('SIGKILL')
  // Its files are lost.
  const emptyDir = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  onTestFinished(() => rm(emptyDir, { recursive: true, force: true }))
  await someRefusals(load, 20)
  nats = await startNats({ ...options, storeDir: emptyDir, port })
  await late`commit`
  late.release()
  await held.release()
  await someOffers(load, 50)
  await load.stop()
  await stopChanging()

  const acknowledged = load.attempts.filter(({ status }) => status === 201).map(({ id }) => id)
  expect(acknowledged.length).toBeGreaterThan(100)
  await everythingIsKept(running, [...acknowledged])
  expect(
    await sql`select from activity.events where aggregate_id = 'offer_late' and workspace_id = ${dev.workspace_id}`,
  ).toHaveLength(1)
  expect(await sql`select from activity.events where aggregate_id = 'offer_rolled_back'`).toHaveLength(0)
})
