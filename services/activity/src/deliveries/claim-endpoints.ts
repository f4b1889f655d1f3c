import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** Longer than two attempts take. */
export const leaseMs = 30_000

export interface Claimed {
  readonly id: string
  /** Changes with every claim: results of an earlier holder are ignored. */
  readonly turn: number
}

export interface DueEndpoint {
  readonly id: string
  readonly workspace_id: string
  readonly created_by: string
  readonly url: string
  readonly failing: boolean
}

export interface Except {
  readonly workspaces: readonly string[]
  readonly people: readonly string[]
}

export const isHealthy = fragment`failing_since is null and not slow`
export const isFailing = fragment`(failing_since is not null or slow)`

/**
 * Endpoints that are due and unclaimed, the longest waiting first. Failing ones are listed separately, so that any
 * number of them takes no room from the others.
 *
 * @param at Unix seconds
 * @param inHand ids of endpoints to skip
 * @param limit of each of the two kinds
 */
export const listDue = (
  sql: Sql,
  given: {
    at: number
    inHand: readonly string[]
    limit: number
    healthy: Except
    failing: Except
  },
): Promise<DueEndpoint[]> => {
  const dueOf = (which: Fragment, { workspaces, people }: Except) => fragment`
    select id, workspace_id, created_by, url, ${isFailing} as failing from webhook_endpoints
    where ${which} and due_at <= to_timestamp(${given.at}) and held_until <= now()
      and id <> all (${given.inHand}::text[])
      and workspace_id <> all (${workspaces}::text[]) and created_by <> all (${people}::text[])
    order by due_at limit ${given.limit}`
  return sql<DueEndpoint>`/* activity.list_due */
    select * from (${dueOf(isHealthy, given.healthy)}) h
    union all
    select * from (${dueOf(isFailing, given.failing)}) f`
}

/**
 * @param at Unix seconds
 * @param sender from `renewSender`
 * @returns those that are still due and that nobody else has claimed
 */
export const claimEndpoints = (
  sql: Sql,
  { ids, at, sender }: { ids: readonly string[]; at: number; sender: string },
): Promise<Claimed[]> => sql<Claimed>`/* activity.claim_endpoints */
  with due as materialized (
    select id from webhook_endpoints
    where id = any (${ids}::text[]) and due_at <= to_timestamp(${at}) and held_until <= now()
    order by id for no key update skip locked
  )
  update webhook_endpoints w set
    turn = w.turn + 1, woken = false, holder = ${sender}, held_until = now() + make_interval(secs => ${leaseMs / 1000}),
    -- Should the holder die, it is due again when its lease is over.
    due_at = to_timestamp(${at + leaseMs / 1000})
  from due d where w.id = d.id
  returning w.id, w.turn`

export const releaseEndpoint = (
  sql: Sql,
  { id, turn }: Claimed,
  at: number,
) => sql`/* activity.release_endpoint */
  update webhook_endpoints set holder = null, held_until = now(), due_at = to_timestamp(${at}) where id = ${id} and turn = ${turn}`
