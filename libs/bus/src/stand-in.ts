import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from 'nats'
import { arrival, untilNone } from './leave-server.ts'
import { leaveQueueGroups } from './nats-internals/queue-groups.ts'
import { flushOncePerTurn } from './nats-internals/turn-flush.ts'
import { defaultBudgetMs } from './wire.ts'

/**
 * Subscribes at the other server to the first connection's queue groups.
 *
 * @returns how many calls from there are in progress
 */
export type JoinThere = (there: NatsConnection) => () => number

export interface StandIn {
  retire(): Promise<void>
}

/**
 * Time for the cluster to learn of new subscriptions. A message on its way to a server whose last member of the
 * queue group has left is lost silently, unless that server knows of another member elsewhere.
 */
const settleMs = 50
const againMs = 100

/**
 * Has a connection to another server join the queue groups of `nc`, which then leaves them: all replicas may be at
 * one server.
 *
 * @param dial connects to another server than `nc`; undefined: there is none now
 * @returns undefined if the connection arrived elsewhere, or was lost, before that
 */
export async function openStandIn(
  nc: NatsConnection,
  joins: readonly JoinThere[],
  dial: () => Promise<NatsConnection | undefined>,
  arrived: AbortSignal,
): Promise<StandIn | undefined> {
  let there = await dial()
  while (!there && !arrived.aborted) {
    await Promise.race([delay(againMs), arrival(arrived)])
    there = await dial()
  }
  if (!there) return undefined
  const other = there
  flushOncePerTurn(other)
  const counts = joins.map(join => join(other))
  const inFlight = () => counts.reduce((sum, count) => sum + count(), 0)
  let retired: Promise<void> | undefined
  const standIn = { retire: () => (retired ??= retire(other, inFlight)) }
  void arrival(arrived)
    // The subscriptions there were made before the move ended.
    .then(() => nc.flush())
    .then(() => delay(settleMs))
    .catch(() => {})
    .then(standIn.retire)
  await other.flush().catch(() => {})
  await delay(settleMs)
  if (!other.isClosed() && !arrived.aborted) await leaveQueueGroups(nc).catch(() => {})
  return standIn
}

async function retire(nc: NatsConnection, inFlight: () => number): Promise<void> {
  await leaveQueueGroups(nc).catch(() => {})
  await untilNone(inFlight, nobodyArrives, defaultBudgetMs)
  await nc.flush().catch(() => {})
  await nc.close()
}

const nobodyArrives = new AbortController().signal
