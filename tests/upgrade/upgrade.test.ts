// A release beside the one before it, both ways (docs/running/upgrade.md). With SVC_RELEASE_BEFORE, the root of a built clone, that is
// the one before and this build the later one; without it, this build is the one before.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import type { Program } from '@svc/local/programs'
import { repoRoot } from '@svc/local/repo-root'
import type { ProcessName } from '@svc/local/stack'
import { waitUntil } from '@svc/local/wait-until'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { type Load, startLoad } from '@svc/testing/load'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import inc from 'semver/functions/inc.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, startCallers } from './callers.ts'
import { buildLaterRelease } from './builds.ts'

const run = promisify(execFile)
const given = process.env.SVC_RELEASE_BEFORE
const before = given ?? repoRoot
let later: string
const made: string[] = []
let running: TestStack
let load: Load
let callers: Callers
/** Gateways that are sent requests, as a load balancer knows them. */
const inRotation: string[] = []

/** A process of one release, which may run or not. */
interface Pod {
  /** Starts it, and then sends it requests. */
  start(): Promise<void>
  /** Sends it nothing new, and stops it. */
  stop(): Promise<void>
}
/** Pods of both releases that take turns in one place. */
type Place = Record<'before' | 'later', Pod>
/** The first replica of each, and the second, which has to do all the work meanwhile. */
type Pair = readonly [Place[], Place[]]
let services: Pair
let gateways: Pair

beforeAll(async () => {
  later = given ? repoRoot : await release(before, versionOf(before))
  const two = Object.fromEntries(['gateway', ...serviceNames].map(name => [name, 2]))
  running = await startTestStack({ root: before, ownPostgres: true, replicas: two })
  const { baseUrls, dev } = running
  inRotation.push(...baseUrls)
  const places = (names: readonly ProcessName[]): Pair => [
    names.map(name => place(name, 0)),
    names.map(name => place(name, 1)),
  ]
  services = places(serviceNames)
  gateways = places(['gateway'])
  const body = { product_id: dev.product_id }
  load = startLoad({ baseUrls: inRotation, token: dev.api_token, body, connections: 6, pauseMs: 150 })
  callers = startCallers(inRotation, dev)
})
afterAll(async () => {
  await Promise.all([load?.stop(), callers?.stop()])
  await running?.stop()
  for (const root of made) await rm(root, { recursive: true, force: true })
})

test('nothing fails while a release replaces the one before it, with a restart of each process in between, nor on the way back', async () => {
  await migrateAll(later)
  // Evicted after the migration, and before anything of the later release runs.
  for (const at of [0, 1] as const) await restart([...services[at], ...gateways[at]], 'before')
  await migrateAll(before)
  for (const pair of [services, gateways]) await roll(pair)
  // No pair of releases meets here that has not met above.
  for (const places of [...gateways, ...services]) await replace(places, 'later', 'before')

  await Promise.all([load.stop(), callers.stop()])
  expect(callers.failures).toEqual([])
  expect(load.attempts.filter(({ status }) => status !== 201)).toEqual([])
  expect(await settleAccounts(running, load.attempts, { product_id: running.dev.product_id })).toMatchObject(
    settled,
  )
  expect(deaths(running.lines)).toEqual([])
  expect(await revisions()).toEqual(serviceNames.map(name => revisionOf(later, name)))

  const breaking = await release(later, next(versionOf(later)))
  await migrateAll(breaking)
  const said = `can only work with releases from ${versionOf(breaking)} on, and this is ${versionOf(before)}.`
  const [one] = services[0]
  await one?.before.stop()
  await expect(one?.before.start()).rejects.toThrow(said)
  await expect(migrateAll(before)).rejects.toThrow(said)
})

/** Replaces every process, one replica at a time, and restarts each while the releases are mixed. */
async function roll([first, second]: Pair) {
  await replace(first, 'before', 'later')
  await restart(first, 'later')
  await restart(second, 'before')
  await replace(second, 'before', 'later')
}

async function replace(places: Place[], from: keyof Place, to: keyof Place) {
  await Promise.all(places.map(place => place[to].start()))
  await Promise.all(places.map(place => place[from].stop()))
  await everyoneIsServed()
}

async function restart(places: Place[], which: keyof Place) {
  await Promise.all(places.map(place => place[which].stop()))
  await Promise.all(places.map(place => place[which].start()))
  await everyoneIsServed()
}

/** Waits until each caller has done some more, so that there is load between any two steps. */
async function everyoneIsServed() {
  const { rounds } = callers
  const then = { ...rounds }
  const offers = load.attempts.length
  await waitUntil(
    'answers to every caller',
    () =>
      callers.failures.length > 0 ||
      (load.attempts.length >= offers + 20 &&
        Object.entries(then).every(([name, count]) => (rounds[name] ?? 0) >= count + 2)),
  )
  expect(callers.failures).toEqual([])
}

function place(name: ProcessName, index: number): Place {
  const { processes, gateways } = running.stack
  const old = name === 'gateway' ? gateways[index] : processes[name][index]
  return {
    before: pod(async () => old as Program),
    later: pod(() => running.stack.startReplica(name, later)),
  }
}

function pod(create: () => Promise<Program & { url?: string }>): Pod {
  let program: Awaited<ReturnType<typeof create>> | undefined
  const started = async () => {
    program ??= await create()
    return program
  }
  const baseUrl = ({ url }: { url?: string }) => `${url}/v1`
  return {
    async start() {
      const own = await started()
      await own.start()
      if (own.url) inRotation.push(baseUrl(own))
    },
    async stop() {
      const own = await started()
      const at = inRotation.indexOf(baseUrl(own))
      if (at >= 0) inRotation.splice(at, 1)
      expect(await own.stop(), own.name).toMatchObject({ code: 0 })
    },
  }
}

/** What the Jobs of a release do before it is rolled out. */
async function migrateAll(root: string) {
  await Promise.all(
    serviceNames.map(name => {
      const DATABASE_URL = running.stack.databaseUrls[schemaOf(name)]
      return run(process.execPath, [join(root, 'deploy/migrate-schema.mjs'), name], { env: { DATABASE_URL } })
    }),
  )
}

async function release(after: string, compatible_from: string): Promise<string> {
  const root = await buildLaterRelease({ after, version: next(versionOf(after)), compatible_from })
  made.push(root)
  return root
}

async function revisions() {
  const read = serviceNames.map(
    name => running.sql`select revision from ${running.sql(schemaOf(name))}.function_revision`,
  )
  return (await Promise.all(read)).map(([row]) => row?.revision)
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))
const versionOf = (root: string): string => readJson(root, 'package.json').version
const revisionOf = (root: string, name: string): number =>
  readJson(root, 'services', name, 'migrations/functions/manifest.json').revision
const next = (version: string): string => inc(version, 'minor') ?? ''
