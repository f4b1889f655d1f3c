// The operations of this service called in the test's own process, on a real database, with a clock that tests move and
// validations that tests can hold or fail.
import { openPool } from '@svc/testing/open-pool'
import { bySystem } from '@svc/contract/core/actor'
import { testSeal } from '@svc/testing/seal'
import type { Caller, ScopedCaller } from '@svc/contract/core/caller'
import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import { parseInput } from '@svc/contract/core/validate'
import { newId } from '@svc/runtime/id'
import { shareTestDatabase } from '@svc/testing/database'
import { shareInWorker } from '@svc/testing/share-in-worker'
import { unhurried } from '@svc/testing/size'
import postgres from 'postgres'
import { createOffer } from '../src/offers/create/create-offer.ts'
import { createDeps } from '../src/deps.ts'
import { handlers } from '../src/handlers.ts'
import type { InputSchemas } from '../src/input-schema/input-schemas.ts'
import { createKeyTurns, type KeyTurns } from '../src/offers/create/key-turns.ts'
import type { ReferenceCache } from '../src/offers/create/reference-cache.ts'
import { catalogue, type RunOperation } from './catalogue.ts'
import type { Answer } from './http.ts'
import { sharedSchemas } from './input-schema/shared-schemas.ts'

export type Bench = ReturnType<typeof benchOn>

export type Clock = { ms: number }

export type Attempt = {
  body: object
  key?: string
  /** Defaults to the bench's own. */
  schemas?: InputSchemas
  /** The process's cache of the catalogue; defaults to the bench's own. */
  referenceCache?: ReferenceCache
  /** Shared by the requests of a process; by default each request has its own. */
  keyTurns?: KeyTurns
  workspace?: string
  /** Time until the call's deadline, in milliseconds. Its statements have longer, however slow the machine. */
  budgetMs?: number
  /** The service's clock, in Unix milliseconds; it stands still until a test moves it. Defaults to the real one. */
  clock?: Clock
}

const sharedDatabase = shareInWorker(open)

/**
 * Uses the database that the files of a worker share, in a workspace of its own: for files that do not depend on other rows
 * of the tables.
 */
export const shareBench = async (): Promise<Bench> => benchOn(await sharedDatabase())

async function open() {
  const test = await shareTestDatabase()
  const database = openPool(test.urls.offers)
  const sql = postgres(test.adminUrl, { max: 2, onnotice: () => {} })
  const stop = async () => {
    await database.close()
    await sql.end({ timeout: 1 })
  }
  return { database, sql, url: test.urls.offers, stop }
}

function benchOn({ database, sql, url, stop }: Awaited<ReturnType<typeof open>>) {
  const schemas = sharedSchemas()
  const workspace = newId('ws')

  const call = { request_id: 'test', by: bySystem('test') }
  const depsOf = createDeps({
    database,
    now: Date.now,
    schemas,
    seal: testSeal,
    publicUrl: 'http://localhost:8080',
  })
  const deps = ({ budgetMs = 300_000, clock, ...options }: Partial<Attempt> = {}) =>
    Object.assign(depsOf({ ...call, deadline: unhurried() }), {
      call: { ...call, deadline: Date.now() + budgetMs },
      now: () => clock?.ms ?? Date.now(),
      schemas: options.schemas ?? schemas,
      ...(options.referenceCache && { referenceCache: options.referenceCache }),
      keyTurns: options.keyTurns ?? createKeyTurns(),
    })

  /** Answers as the service does on the bus; anything but a refusal is thrown. */
  async function create(attempt: Attempt): Promise<Answer> {
    const { body, key } = attempt
    const caller: ScopedCaller = {
      kind: 'api_token',
      id: 'tok_test',
      workspace: attempt.workspace ?? workspace,
      role: 'member',
    }
    try {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
      const sent: unknown = JSON.parse(JSON.stringify(body))
      const input = parseInput(offers.operations.create_offer, { ...nothing, headers, body: sent })
      const reply = await createOffer(input, caller, deps(attempt))
      return { status: 201, body: reply.body, replayed: reply.headers?.['Idempotent-Replayed'] ?? null }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: error.body, replayed: null }
    }
  }

  const runAs =
    (caller: Caller): RunOperation =>
    async (name, { params = {}, body }) => {
      const handler = handlers[name] as (...given: unknown[]) => Promise<{ body?: unknown }>
      const input = parseInput(offers.operations[name], { ...nothing, params, body })
      return (await handler(input, caller, deps())).body
    }

  return {
    create,
    sql,
    workspace,
    schemas,
    database,
    /** URL of the database, with the service's role. */
    url,
    stop,
    catalogue: catalogue(runAs({ kind: 'internal', id: 'test', workspace })),
    async keyRow(key: string) {
      const [row] = await sql`
        select * from offers.idempotency_keys where workspace_id = ${workspace} and key = ${key}`
      return row
    },
    /** The offers of a product, oldest first. */
    offersOf: (product_id: string) =>
      sql`select * from offers.offers where product_id = ${product_id} order by id`,
  }
}

const nothing = { params: {}, query: new URLSearchParams(), headers: {} }

/** A process that has not compiled the schema yet: it binds every version that it resolves first. */
export const unaware = (schemas: InputSchemas): InputSchemas => ({ ...schemas, isReady: () => false })

/** A process that blocks in its first validation until `release`; `reached` resolves when it gets there. */
export function held(schemas: InputSchemas) {
  const gate = latch()
  const arrival = latch()
  return {
    schemas: {
      ...unaware(schemas),
      validate: async (offer: Parameters<InputSchemas['validate']>[0]) => {
        arrival.open()
        await gate.opened
        return schemas.validate(offer)
      },
    },
    reached: arrival.opened,
    release: gate.open,
  }
}

export function latch() {
  let open!: () => void
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

/** A process whose validation fails with this error. */
export const failing = (schemas: InputSchemas, error: Error): InputSchemas => ({
  ...unaware(schemas),
  validate: () => Promise.reject(error),
})
