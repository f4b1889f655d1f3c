/** A durable reservation of a key: it binds the version before the work that may take long, or crash. */
import type { Attribution } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import {
  keyColumns,
  type KeyRow,
  type IdempotentRequest,
  leaseMs,
  orTheirKey,
  refusedAfterLeaseMs,
} from './idempotency-key.ts'
import { eventOfCreated, returningCreated } from './offer-created.ts'
import type { OfferRecord } from './offer-record.ts'

export interface Reservation {
  readonly use: IdempotentRequest
  readonly package_version_id: string
  /** Unique to this attempt: no two reservations ever share a fence. */
  readonly fence: number
  /** Whether this attempt made the reservation; else it took over what another one had bound. */
  readonly won: boolean
}

/**
 * Binds the product's current version to the key.
 *
 * @returns the key's row, whoever wrote it, and whether this call did; undefined when the product has no current version
 */
export async function reserveKey(
  sql: Sql,
  { workspace, key, intent }: IdempotentRequest,
  productId: string,
  now: number,
): Promise<(KeyRow & { won: boolean }) | undefined> {
  const [row] = await sql<KeyRow & { won: boolean }>`/* offers.reserve_key */
    insert into idempotency_keys (
      workspace_id, key, intent, package_version_id, lease_until, free_at, created_at
    )
    select ${workspace}, ${key}, ${intent}, current_version_id, ${new Date(now + leaseMs)},
      ${new Date(now + leaseMs + refusedAfterLeaseMs)}, ${new Date(now)}
    from products
    where workspace_id = ${workspace} and id = ${productId} and current_version_id is not null
    ${orTheirKey}
    returning ${keyColumns}, xmax = 0 as won`
  return row
}

/**
 * Takes a reservation over from an attempt that did not finish, with a new fence and a new lease: the bound version
 * stays. Of several who try, one gets it.
 */
export async function takeOverKey(
  sql: Sql,
  { workspace, key }: IdempotentRequest,
  fence: number,
  now: number,
): Promise<Pick<Reservation, 'package_version_id' | 'fence'> | undefined> {
  const [row] = await sql<Pick<Reservation, 'package_version_id' | 'fence'>>`/* offers.take_over_key */
    update idempotency_keys set
      fence = default,
      lease_until = ${new Date(now + leaseMs)},
      free_at = ${new Date(now + leaseMs + refusedAfterLeaseMs)}
    where workspace_id = ${workspace} and key = ${key} and fence = ${fence} and lease_until > ${new Date(now)}
    returning package_version_id, fence`
  return row
}

/** Writes the offer and completes the reservation, if this attempt still holds it and its lease is not past. */
export async function insertReservedOffer(
  sql: Sql,
  { use, fence }: Reservation,
  { offer, by }: { offer: OfferRecord; by: Attribution },
  now: number,
): Promise<boolean> {
  const [completed] = await sql`/* offers.complete_reservation */
    with completed as (
      update idempotency_keys set
        offer_id = ${offer.id}, short_hash = ${offer.short_hash}, lease_until = null, free_at = null
      where workspace_id = ${use.workspace} and key = ${use.key} and fence = ${fence}
        and lease_until > ${new Date(now)}
      returning offer_id
    ), created as (
      insert into offers
      select record.* from completed, jsonb_populate_record(null::offers, ${sql.json(offer)}) as record
      ${returningCreated}
    ), event as (
      ${eventOfCreated(by)}
    )
    select offer_id from completed`
  return completed !== undefined
}

/** A refused request frees its key (docs/specification.md, R33). */
export async function releaseKey(sql: Sql, { use, fence }: Reservation): Promise<void> {
  await sql`/* offers.release_key */
    delete from idempotency_keys
    where workspace_id = ${use.workspace} and key = ${use.key} and fence = ${fence} and offer_id is null`
}
