import { createTestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { finishRestore } from '../src/migrate/finish-restore.ts'

test('after a restore events have numbers that nobody has seen, and no lease of before goes on', async () => {
  const { adminUrl, drop } = await createTestDatabase()
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  onTestFinished(async () => {
    await sql.end()
    await drop()
  })
  const write = async () => {
    const [row] = await sql`
      insert into compute.outbox (aggregate_id, subject, payload) values ('clus_1', 'events.clusters.created', '{}')
      returning sequence::int8 as sequence`
    return Number(row?.sequence)
  }
  const before = await write()
  await sql`insert into auth_tokens.lease_timelines values ('00000001', now() - interval '1 day') on conflict do nothing`
  await sql`
    insert into auth_tokens.lease_holders (id, grant_id, timeline, until)
    values ('holder', 'grant', '00000001', now() + interval '1 hour')`

  await finishRestore(sql)
  const after = await write()
  expect(after - before).toBeGreaterThanOrEqual(1e9)
  expect(await sql`select from auth_tokens.lease_timelines`).toHaveLength(0)
  expect(await sql`select from auth_tokens.lease_holders`).toHaveLength(0)
  // What waited in the outbox is published still.
  expect(await sql`select from compute.outbox`).toHaveLength(2)

  await finishRestore(sql)
  expect(await write()).toBeGreaterThan(after)
})
