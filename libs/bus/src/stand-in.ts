/** A second connection, at another server: it takes the calls of the queue groups while the first one moves. */
import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from 'nats'
import { arrival, untilNone } from './leave-server.ts'
import { leaveQueueGroups } from './nats-internals/queue-groups.ts'
import { flushOncePerTurn } from './nats-internals/turn-flush.ts'
import { defaultBudgetMs } from './wire.ts'

/**
 * Subscribes there to what the first connection has in queue groups.
 *
 * @returns how many calls that came that way are in progress
 */
export type JoinThere = (there: NatsConnection) => () => number

export interface StandIn {
  /** Takes no more calls, finishes those that it has, and closes. */
  retire(): Promise<void>
}

/**
 * For the cluster to know of new subscriptions. A message that is on the route to a server where the last member of its queue
 * group has left is lost silently, unless that server knows of another member elsewhere.
 */
const settleMs = 50
const againMs = 100

/**
 * Has another server's connection join the queue groups of `nc`, which leaves them: its replicas may all be at one server.
 *
 * @param dial connects to a server that is not the one of `nc`; undefined: there is none now
 * @returns undefined if the connection arrived elsewhere, or was lost, before there was another one
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
    // Where it arrived, its subscriptions were made before.
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
