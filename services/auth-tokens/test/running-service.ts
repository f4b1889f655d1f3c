/** The service in the test's process: two replicas on a bus and a database of their own, with a clock that tests move. */
import { openPool } from '@svc/testing/open-pool'
import { testSeal } from '@svc/testing/seal'
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { serve } from '@svc/bus/serve'
import { header } from '@svc/bus/wire'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller, Role } from '@svc/contract/core/caller'
import { subjectOf } from '@svc/contract/core/operation'
import { ensureQuotas } from '@svc/runtime/quotas'
import { newId } from '@svc/runtime/id'
import { workloadsConfig } from '@svc/runtime/trusted-workloads'
import { createTestDatabase } from '@svc/testing/database'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { startTestNats } from '@svc/testing/stack/nats'
import { shareInWorker } from '@svc/testing/share-in-worker'
import { unhurried } from '@svc/testing/size'
import { passwordHash } from '@svc/testing/password'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { createDeps } from '../src/deps.ts'
import { handlers } from '../src/handlers.ts'
import { guardNarrowing } from '../src/leases/guard-narrowing.ts'
import { type RecordUse, createRecordUse } from '../src/credentials/record-use.ts'
import { ensureSigningKeys } from '../src/signing-keys/signing-keys.ts'

export interface Answer {
  readonly status: number
  // Any answer: the tests compare it with literals.
  readonly body: Record<string, unknown> & { errors?: { code: number; path?: string[]; message: string }[] }
}

export interface AskOptions {
  readonly body?: unknown
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  readonly requestId?: string
  readonly address?: string
}

export interface ServiceClock {
  /** How far it is ahead. */
  offsetSeconds: number
  /** Unix milliseconds. */
  now(): number
  /** Unix seconds. */
  seconds(): number
  /** Until the end of the test it moves by `offsetSeconds` alone. */
  stop(): void
}

export interface RunningService {
  readonly call: CallBus
  /** The database, as its administrator. */
  readonly sql: postgres.Sql
  readonly databaseUrl: string
  /** The last uses that each replica collects and writes. */
  readonly uses: readonly RecordUse[]
  readonly clock: ServiceClock
  /** Calls an operation as `caller`, and returns status and body of any answer. */
  ask(operation: keyof typeof authTokens.operations, caller: Caller, options?: AskOptions): Promise<Answer>
  newWorkspace(): Promise<string>
  newUser(): Promise<string>
  /** A new user with this role in the workspace, as a caller. */
  newMember(workspace: string, role: Role): Promise<Caller & { user: string }>
  stop(): Promise<void>
}

const silent = { info() {}, warn() {}, error() {} }
export const internal = (workspace?: string): Caller => ({ kind: 'internal', id: 'test', workspace })

export async function runService(): Promise<RunningService> {
  const [nats, database] = await Promise.all([startTestNats({ streams: false }), createTestDatabase()])
  const databaseUrl = database.urls.auth_tokens
  const clock = createClock()
  const replicas = await Promise.all(
    [1, 2].map(() => startReplica(databaseUrl, nats.user('auth-tokens'), clock.now)),
  )
  const bus = await connectBus(nats.user('tests'), silent)
  const call = createCall(bus)
  const sql = postgres(database.adminUrl, { max: 2, onnotice: () => {} })

  const newUser = async () => {
    const id = newId('user')
    await sql`
      insert into auth_tokens.users (id, email, password_hash) values (${id}, ${`${id}@test.example`}, ${passwordHash})`
    return id
  }
  return {
    call,
    sql,
    databaseUrl,
    uses: replicas.map(({ recordUse }) => recordUse),
    clock,
    async ask(operation, caller, { body, params = {}, query = {}, requestId = '', address = '' } = {}) {
      const answer = await call({
        subject: subjectOf('auth-tokens', operation),
        body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
        headers: {
          [header.caller]: JSON.stringify(caller),
          [header.params]: String(new URLSearchParams(params)),
          [header.query]: String(new URLSearchParams(query)),
          [header.requestId]: requestId,
          [header.address]: address,
        },
        deadline: unhurried(),
      })
      const text = new TextDecoder().decode(answer.body)
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    },
    newWorkspace: () => insertWorkspace(sql),
    newUser,
    async newMember(workspace, role) {
      const user = await newUser()
      await insertMember(sql, { workspace, user, role })
      return { kind: 'session', id: newId('sess'), user, workspace, role }
    },
    async stop() {
      await Promise.all(replicas.map(({ stop }) => stop()))
      await bus.close()
      await sql.end({ timeout: 1 })
      await nats.stop()
      await database.drop()
    },
  }
}

function createClock(): ServiceClock {
  let stoppedAt: number | undefined
  const clock: ServiceClock = {
    offsetSeconds: 0,
    now: () => (stoppedAt ?? Date.now()) + clock.offsetSeconds * 1000,
    seconds: () => Math.floor(clock.now() / 1000),
    stop() {
      stoppedAt = Date.now()
      onTestFinished(() => {
        stoppedAt = undefined
      })
    },
  }
  return clock
}

const sharedService = shareInWorker(runService)

/**
 * The service that the files of a worker share: for files that use only their own workspaces and people, and do not depend
 * on other rows of the tables.
 */
export async function shareService(): Promise<RunningService> {
  const service = await sharedService()
  service.clock.offsetSeconds = 0
  return service
}

async function startReplica(
  databaseUrl: string,
  access: Parameters<typeof connectBus>[0],
  now: () => number,
) {
  const database = openPool(databaseUrl)
  await ensureQuotas(database.sql, 'auth-tokens')
  await ensureSigningKeys(database.sql, testSeal, Math.floor(now() / 1000))
  const bus: Bus = await connectBus(access, silent)
  const recordUse = createRecordUse(() => database.sql)
  const served = await serve(bus, authTokens, {
    handlers: guardNarrowing(handlers),
    deps: createDeps({
      database,
      now,
      recordUse,
      publicUrl: 'https://svc.test',
      workloads: workloadsConfig.TRUSTED_WORKLOADS.parse(undefined),
      seal: testSeal,
    }),
    log: silent,
  })
  const stop = async () => {
    await served.drain()
    await database.close()
  }
  return { recordUse, stop }
}
