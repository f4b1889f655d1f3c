// Look-ups use only the hash: what is sent to the database does not depend on how much of a secret is right.
import { openPool } from '@svc/testing/open-pool'
import { forFile } from '@svc/testing/for-file'
import type { CredentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import { createApiToken, createSessionToken, hashCredential } from '@svc/runtime/credential'
import type { Database, Sql } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import { unhurried } from '@svc/testing/size'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newUserCode } from '../../src/device-grant/device-codes.ts'
import { createLookUp } from '../../src/credentials/look-up.ts'
import { client_id, newPerson, origin } from '../device-grant/device-scene.ts'
import { type FrozenReplicas, freezeReplicas } from '../frozen-replicas.ts'
import { internal, shareService } from '../running-service.ts'

/** Statements as they are sent, with their parameters. */
const sent: { text: string; parameters: string[] }[] = []

const service = forFile(shareService)
let database: Database
let replicas: FrozenReplicas
let recording: Sql
beforeAll(() => {
  database = openPool(service.databaseUrl, 2, 10)
  recording = Object.assign(
    <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) => {
      sent.push({ text: strings.join('$'), parameters: values.map(value => JSON.stringify(value) ?? '') })
      return database.sql<Row>(strings, ...values)
    },
    { json: database.sql.json },
  )
  replicas = freezeReplicas(service.databaseUrl, { sql: recording })
  replicas.time.seconds = service.clock.seconds()
})
afterAll(async () => {
  await replicas?.close()
  await database?.close()
})
beforeEach(() => {
  sent.length = 0
})

async function newSessionToken(): Promise<string> {
  const user_id = await service.newUser()
  return String((await service.ask('create_session', internal(), { body: { user_id } })).body.token)
}
async function newApiToken(): Promise<string> {
  const workspace = await service.newWorkspace()
  return String(
    (await service.ask('create_api_token', internal(workspace), { body: { name: 'n' } })).body.token,
  )
}
async function newGrant() {
  const { body } = await service.ask('start_device_grant', internal(), { body: { client_id, origin } })
  return { device_code: String(body.device_code), user_code: String(body.user_code).replace('-', '') }
}
const resolve = (kind: 'session' | 'api_token') => (secret: string) => {
  const lookups: CredentialLookup[] = [{ kind, hash: hashCredential(secret) }]
  const lookUp = createLookUp({ ...database, within: () => recording })
  return lookUp({ lookups, seconds: service.clock.seconds(), deadline: unhurried() })
}

const ways: [string, () => Promise<string>, () => string, (secret: string) => Promise<unknown>][] = [
  ['a session', newSessionToken, createSessionToken, resolve('session')],
  ['an API token', newApiToken, createApiToken, resolve('api_token')],
  [
    'a device code',
    async () => (await newGrant()).device_code,
    createSessionToken,
    secret =>
      replicas.run('poll_device_grant', { device_code_hash: hashCredential(secret), client_id, origin }),
  ],
  [
    'a user code',
    async () => (await newGrant()).user_code,
    newUserCode,
    async secret =>
      replicas.run('enter_user_code', { user_code_hash: hashCredential(secret) }, await newPerson(service)),
  ],
  [
    'a token to revoke',
    newSessionToken,
    createSessionToken,
    secret => replicas.run('revoke_token', { hash: hashCredential(secret) }),
  ],
]

test.each(ways)(
  '%s: a nearly right and a wrong one run the same statements with different hashes, and the right one the first of them',
  async (_what, make, guess, use) => {
    const right = await make()
    const nearly = right.slice(0, -1) + (right.endsWith('B') ? 'C' : 'B')
    const statementsOf = async (secret: string) => {
      sent.length = 0
      await use(secret)
      return [...sent]
    }
    const [wrongs, nears] = [await statementsOf(guess()), await statementsOf(nearly)]
    const [exact, ...more] = await statementsOf(right)
    const [near] = nears
    // A secret that is no token's current one is looked up among those in a grace period, however nearly right it is.
    expect(nears.map(({ text }) => text)).toEqual(wrongs.map(({ text }) => text))
    expect(exact?.text).toBe(wrongs[0]?.text)
    expect(more).toEqual([])
    for (const [statement, secret] of [
      [near, nearly],
      [exact, right],
    ] as const) {
      const parameters = statement?.parameters.join(' ') ?? ''
      expect(parameters).toContain(hashCredential(secret))
      for (let at = 0; at + 6 <= secret.length; at++) {
        if (!secret.startsWith('sk_svc_') || at >= 7)
          expect(parameters).not.toContain(secret.slice(at, at + 6))
      }
    }
    // A common prefix reveals nothing: the hashes of similar secrets are unrelated.
    const differs = [...hashCredential(right)].findIndex((digit, at) => digit !== hashCredential(nearly)[at])
    expect(differs).toBeGreaterThanOrEqual(0)
    expect(differs).toBeLessThan(8)
  },
)

test('look-ups of secrets use an index', async () => {
  const plans = await Promise.all(
    [
      ['sessions', 'hash'],
      ['api_tokens', 'hash'],
      ['device_grants', 'device_code_hash'],
      ['device_grants', 'user_code_hash'],
    ].map(async ([table = '', column = '']) => {
      const hash = Buffer.from(hashCredential(newId('sess')), 'hex')
      // The planner has to use an index if it can.
      const rows = await service.sql.begin(async sql => {
        await sql`set local enable_seqscan = off`
        return sql`explain select 1 from auth_tokens.${sql(table)} where ${sql(column)} = ${hash}`
      })
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }),
  )
  for (const plan of plans)
    expect(plan).toMatch(/Index (Only )?Scan using \w+_key|Bitmap Index Scan on \w+_key/)
})
