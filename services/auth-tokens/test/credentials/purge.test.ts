// The purge removes everything that has ended and nothing else, and never waits.
import { openPool } from '@svc/testing/open-pool'
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import type { Database } from '@svc/runtime/database'
import { randomBytes } from 'node:crypto'
import { everything, sized } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bucketOf } from '../../src/credentials/attempts.ts'
import { purge } from '../../src/purge.ts'
import { shareService } from '../running-service.ts'

const now = 1_800_000_000
const day = 86_400

const service = forFile(shareService)
let database: Database
let user: string
let token: string
let workspace: string
beforeAll(async () => {
  database = openPool(service.databaseUrl, 8)
  // It counts those of the workspace anew for each row.
  for (const table of ['invitations', 'api_tokens']) {
    await service.sql`alter table auth_tokens.${service.sql(table)} disable trigger quota`
  }
  user = await service.newUser()
  token = newId('tok')
  workspace = await service.newWorkspace()
  await service.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at)
    values (${token}, ${workspace}, 'n', ${randomBytes(32)}, 'hint', now())`
})
afterAll(async () => {
  for (const table of ['invitations', 'api_tokens']) {
    await service.sql`alter table auth_tokens.${service.sql(table)} enable trigger quota`
  }
  await database?.close()
})

type Table =
  | 'sessions'
  | 'device_grants'
  | 'attempts'
  | 'verifications'
  | 'used_links'
  | 'retired_secrets'
  | 'api_token_uses'
  | 'known_networks'
  | 'known_browsers'
  | 'used_challenges'
  | 'pending_sign_ins'
  | 'invitations'
  | 'used_id_tokens'
  | 'ci_attempts'
const tables: Table[] = [
  'sessions',
  'device_grants',
  'attempts',
  'verifications',
  'used_links',
  'retired_secrets',
  'api_token_uses',
  'known_networks',
  'known_browsers',
  'used_challenges',
  'pending_sign_ins',
  'invitations',
  'used_id_tokens',
  'ci_attempts',
]
beforeEach(async () => {
  for (const table of tables) await service.sql`delete from auth_tokens.${service.sql(table)}`
})

/** Inserts `count` rows that ended (attempts: were touched) at `at`, in Unix seconds. */
const write: Record<Table, (at: number, count: number) => Promise<unknown>> = {
  sessions: (at, count) => service.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    select 'sess_' || gen_random_uuid(), ${user}, sha256(gen_random_uuid()::text::bytea), to_timestamp(${at}), to_timestamp(${at})
    from generate_series(1, ${count})`,
  device_grants: (at, count) => service.sql`
    insert into auth_tokens.device_grants (
      id, device_code_hash, user_code_hash, client_id, address, user_agent, created_at, expires_at, interval_seconds
    )
    select 'grant_' || gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), sha256(gen_random_uuid()::text::bytea),
      'svc-cli', '', '', to_timestamp(${at}), to_timestamp(${at}), 5
    from generate_series(1, ${count})`,
  attempts: (at, count) => service.sql`
    insert into auth_tokens.attempts (bucket, times, touched_at)
    select gen_random_uuid()::text, '{}', to_timestamp(${at}) from generate_series(1, ${count})`,
  verifications: (at, count) => service.sql`
    insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    select sha256(gen_random_uuid()::text::bytea), 'a@test.example', to_timestamp(${at}), to_timestamp(${at})
    from generate_series(1, ${count})`,
  used_links: (at, count) => service.sql`
    insert into auth_tokens.used_links (hash, user_id, expires_at)
    select sha256(gen_random_uuid()::text::bytea), ${user}, to_timestamp(${at}) from generate_series(1, ${count})`,
  retired_secrets: (at, count) => service.sql`
    insert into auth_tokens.retired_secrets (hash, token_id, expires_at)
    select sha256(gen_random_uuid()::text::bytea), ${token}, to_timestamp(${at}) from generate_series(1, ${count})`,
  api_token_uses: (at, count) => service.sql`
    with tokens as (
      insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at)
      select 'tok_' || gen_random_uuid(), ${workspace}, 'n', sha256(gen_random_uuid()::text::bytea), 'hint', now()
      from generate_series(1, ${count})
      returning id
    )
    insert into auth_tokens.api_token_uses (token_id, day, used)
    select id, (to_timestamp(${at}) at time zone 'UTC')::date, 1 from tokens`,
  known_networks: (at, count) => service.sql`
    insert into auth_tokens.known_networks (user_id, network, seen_at)
    select ${user}, gen_random_uuid()::text, to_timestamp(${at}) from generate_series(1, ${count})`,
  known_browsers: (at, count) => service.sql`
    insert into auth_tokens.known_browsers (hash, user_id, seen_at)
    select sha256(gen_random_uuid()::text::bytea), ${user}, to_timestamp(${at}) from generate_series(1, ${count})`,
  used_challenges: (at, count) => service.sql`
    insert into auth_tokens.used_challenges (hash, expires_at)
    select sha256(gen_random_uuid()::text::bytea), to_timestamp(${at}) from generate_series(1, ${count})`,
  pending_sign_ins: (at, count) => service.sql`
    insert into auth_tokens.pending_sign_ins (hash, user_id, expires_at)
    select sha256(gen_random_uuid()::text::bytea), ${user}, to_timestamp(${at}) from generate_series(1, ${count})`,
  invitations: (at, count) => service.sql`
    insert into auth_tokens.invitations (id, workspace_id, email, role, created_at, expires_at)
    select 'inv_' || gen_random_uuid(), ${workspace}, gen_random_uuid()::text, 'member', to_timestamp(${at}), to_timestamp(${at})
    from generate_series(1, ${count})`,
  used_id_tokens: (at, count) => service.sql`
    insert into auth_tokens.used_id_tokens (hash, expires_at)
    select sha256(gen_random_uuid()::text::bytea), to_timestamp(${at}) from generate_series(1, ${count})`,
  ci_attempts: (at, count) => service.sql`
    insert into auth_tokens.ci_attempts (id, workspace_id, issuer, origin, owner, claims, attempted_at)
    select 'run_' || gen_random_uuid(), ${workspace}, 'i', gen_random_uuid()::text, 'o', '{}', to_timestamp(${at})
    from generate_series(1, ${count})`,
}
const count = async (table: Table) => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from auth_tokens.${service.sql(table)}`
  return row?.count
}

test.each<[Table, number]>([
  ['sessions', day],
  ['device_grants', day],
  ['attempts', day],
  ['verifications', 0],
  ['used_links', 0],
  ['retired_secrets', 0],
  ['api_token_uses', 30 * day],
  ['known_networks', 365 * day],
  ['known_browsers', 180 * day],
  ['used_challenges', day],
  ['pending_sign_ins', 0],
  ['invitations', 30 * day],
  ['used_id_tokens', 0],
  ['ci_attempts', 7 * day],
])('%s are kept until %d seconds after their end', async (table, kept) => {
  const unit = table === 'api_token_uses' ? day : 1
  await write[table](now - kept - unit, 3)
  await write[table](now - kept + unit, 4)
  await write[table](now + 10 * unit, 5)
  await purge(database.sql, now)
  expect(await count(table)).toBe(9)
  await purge(database.sql, now + 2 * unit)
  expect(await count(table)).toBe(5)
})

// One of each kind of key: all are removed by the same clause.
const removed: Table[] = everything ? tables : ['sessions', 'known_networks']
test.each(removed)('%s: at most 5,000 at a time, and the rest the next time', async table => {
  await write[table](now - 400 * day, 5200)
  await purge(database.sql, now)
  expect(await count(table)).toBe(200)
  await purge(database.sql, now)
  expect(await count(table)).toBe(0)
})

test('eight concurrent purges neither deadlock nor wait, and everything is removed in the end', async () => {
  await Promise.all(tables.map(table => write[table](now - 400 * day, sized(200, 3000))))
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => purge(database.sql, now)))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  await purge(database.sql, now)
  for (const table of tables) expect(await count(table)).toBe(0)
})

test('an invitation is remembered for a week', async () => {
  const bucket = bucketOf('invitation_mail_per_workspace_and_recipient', 'any')
  const write = (at: number) => service.sql`
    insert into auth_tokens.attempts (bucket, times, touched_at) values (${bucket}, '{}', to_timestamp(${at}))`
  await write(now - 7 * day + 1)
  await purge(database.sql, now)
  expect(await count('attempts')).toBe(1)
  await purge(database.sql, now + 2)
  expect(await count('attempts')).toBe(0)
})

test('a locked row is left for the next time', async () => {
  await write.attempts(now - 2 * day, 2)
  const [held] = await service.sql<{ bucket: string }[]>`select bucket from auth_tokens.attempts limit 1`
  await service.sql.begin(async holding => {
    await holding`select 1 from auth_tokens.attempts where bucket = ${held?.bucket ?? ''} for update`
    await purge(database.sql, now)
    expect(await count('attempts')).toBe(1)
  })
  await purge(database.sql, now)
  expect(await count('attempts')).toBe(0)
})
