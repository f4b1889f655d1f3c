/** What the suites of kills share: what is killed, what goes on meanwhile, and what must be there afterwards. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@svc/bus/connection'
import type { Supervised } from '@svc/local/processes/processes'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { expect } from 'vitest'
import { amountOf, parseExposition } from '@svc/testing/deploy/exposition'
import { insertMember } from '@svc/testing/members'
import { sender } from '@svc/testing/stack/driven-stack'
import type { Attempt, Load } from '@svc/testing/load'
import { disorder, readEvents } from '@svc/testing/read-events'
import type { TestStack } from '@svc/testing/stack/stack'

export const pidsOf = ({ stack }: TestStack) =>
  Object.values(stack.processes)
    .flat()
    .map(({ pid }) => pid)

/** Kills it, and resolves when it is ready again. */
export async function killReplica(replica: Supervised | undefined) {
  replica?.kill('SIGKILL')
  await waitUntil(`the end of ${replica?.name}`, () => !replica?.running())
  await replica?.start()
}

/** Kills it, and starts it again after `meanwhile`. */
export async function killServer(
  server: ServerHandle | undefined,
  meanwhile: () => Promise<unknown> = async () => {},
) {
  await server?.kill('SIGKILL')
  await waitUntil('the end of the server', () => !server?.running())
  await meanwhile()
  await server?.restart()
}

/** Waits until so many more offers are made. */
export function someOffers({ attempts }: Load, count: number) {
  const before = attempts.length
  const made = () => attempts.slice(before).filter(({ status }) => status === 201).length
  return waitUntil('some offers', () => made() >= count)
}

/** Waits until so many more offers are refused with 503. */
export function someRefusals({ attempts }: Load, count: number) {
  const before = attempts.length
  const refused = () => attempts.slice(before).filter(({ status }) => status === 503).length
  return waitUntil('some refusals', () => refused() >= count)
}

/** Waits until every process that runs says that it is ready. */
export const everyProcessIsReady = ({ stack }: TestStack) =>
  Promise.all(
    Object.values(stack.processes)
      .flat()
      .filter(process => process.running())
      .map(process => process.untilReady()),
  )

/**
 * Waits until each replica of offers and auth-tokens has had an answer of PostgreSQL: their readiness does not tell, as they
 * connect when there is something to ask.
 */
export async function everyReplicaReachesTheDatabase({ stack }: TestStack) {
  const replicas = (['offers', 'auth-tokens'] as const).flatMap(service =>
    stack.processes[service]
      .filter(replica => replica.running())
      .map(({ healthUrl }) => ({ service, healthUrl })),
  )
  // A connection that is kept may be closed just when it is used again.
  const fresh = { headers: { connection: 'close' } }
  const answers = () =>
    Promise.all(
      replicas.map(async ({ service, healthUrl }) => {
        const metrics = parseExposition(await (await fetch(`${healthUrl}/metrics`, fresh)).text())
        return amountOf(metrics, 'svc_database_statements_total', { outcome: 'ok', service })
      }),
    )
  const before = await answers()
  await waitUntil('answers of the database', async () =>
    (await answers()).every((count, at) => count > (before[at] ?? 0)),
  )
}

const begunSince = ({ attempts }: Load, from: number) => attempts.filter(({ startedAt }) => startedAt >= from)

/** Checks that of the next requests of the load, at least so many, none fails. */
export async function noneFails(load: Load, count = 20) {
  const from = performance.now()
  await waitUntil('answers', () => begunSince(load, from).length >= count)
  expect(begunSince(load, from).filter(({ status }) => status !== 201)).toEqual([])
}

/**
 * Kills NATS, and checks that every request of the load that begins once the gateways know, at least `count`, is refused with
 * 503. Stops the load; starts NATS again when each of its requests is answered, and ends when every process is ready.
 */
export async function refusesWithoutBus(running: TestStack, load: Load, count: number) {
  const { nats, gateways } = running.stack
  const ready = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status === 200
  await killServer(nats, async () => {
    await waitUntil(
      'no gateway is ready',
      async () => !(await Promise.all(gateways.map(ready))).some(Boolean),
    )
    const from = performance.now()
    await waitUntil('answers', () => begunSince(load, from).length >= count)
    await load.stop()
    for (const attempt of begunSince(load, from))
      expect(attempt).toMatchObject({ status: 503, tag: 'Unavailable', retryAfter: expect.any(String) })
    // Those that were under way as well.
    expect(load.attempts.filter(({ status }) => status === 0)).toEqual([])
    expect(await Promise.all(gateways.map(ready))).not.toContain(true)
  })
  await everyProcessIsReady(running)
}

/** People whose roles are changed one after the other: every change is an event of one aggregate. */
export async function addPeople({ sql, dev }: TestStack, count = 8): Promise<string[]> {
  const people = Array.from({ length: count }, () => newId('user'))
  for (const id of people) {
    await sql`insert into auth_tokens.users (id, email) values (${id}, ${`${id}@events.example`})`
    await insertMember(sql, { workspace: dev.workspace_id, user: id, role: 'member' })
  }
  return people
}

/** Changes each person's role repeatedly until the returned function is called. */
export function changeRoles({ dev }: TestStack, people: readonly string[], pauseMs = 0) {
  const send = sender(dev.base_url)
  let going = true
  const changing = people.map(async user_id => {
    for (let turn = 0; going; turn++) {
      const path = `/workspaces/${dev.workspace_id}/members/${user_id}`
      const body = { role: turn % 2 ? 'member' : 'admin' }
      await send('PATCH', path, dev.owner.session_token, { body }).catch(() => delay(20))
      if (pauseMs) await delay(pauseMs)
    }
  })
  return async () => {
    going = false
    await Promise.all(changing)
  }
}

/**
 * Checks that every event of offers and roles is there once, in order within its aggregate.
 *
 * @returns how many there are
 */
export async function everyEventIsThere(
  { sql, dev }: TestStack,
  { bus, people, attempts }: { bus: Bus; people: readonly string[]; attempts: readonly Attempt[] },
): Promise<number> {
  await waitUntil('the connection', () => bus.connected)
  let left: unknown
  await waitUntil('empty outboxes, and a stream that has everything', async () => {
    const rows = await sql`
        select 'offers' as service, count(*)::int as n from offers.outbox
        union all
        select 'auth-tokens', count(*)::int from auth_tokens.outbox
        union all
        select 'stream', count(*)::int from activity.events e join activity.stream_position s on e.position > s.position`
    left = rows
    return rows.every(({ n }) => Number(n) === 0)
  }).catch(error => {
    error.message += `: ${JSON.stringify(left)}`
    throw error
  })
  const stored = await readEvents(bus)
  expect(disorder(stored)).toEqual({ late: [], twice: [] })
  const offers = await sql`select id from offers.offers`
  const published = stored
    .filter(({ type }) => type === 'offers.created')
    .map(({ aggregate_id }) => aggregate_id)
  expect(new Set(published)).toEqual(new Set(offers.map(({ id }) => id)))
  const acknowledged = attempts.filter(({ status }) => status === 201).map(({ id }) => id)
  const heard = new Set<string | undefined>(published)
  expect(acknowledged.filter(id => !heard.has(id))).toEqual([])
  // Only a change to a different role is an event: two alike in a row mean that one between them was lost.
  const memberships = await sql`
    select user_id, role from auth_tokens.memberships where user_id in ${sql(people)}`
  for (const { user_id, role } of memberships) {
    const roles = stored
      .filter(({ aggregate_id }) => aggregate_id === `${dev.workspace_id}/${user_id}`)
      .map(({ data }) => (data as { role: string }).role)
    expect(roles.filter((one, at) => one === roles[at + 1])).toEqual([])
    expect(roles.at(-1)).toBe(role)
  }
  expect(memberships).toHaveLength(people.length)
  return stored.length
}
