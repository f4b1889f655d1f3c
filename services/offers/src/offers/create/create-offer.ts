/** POST /offers: docs/specification.md, R21 to R33; docs/architecture.md, "One statement for a write". */
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import type { Deps } from '../../deps.ts'
import type { CreatedOffer, IdempotentRequest } from './idempotency-key.ts'
import { intentOf, normalise } from './intent.ts'
import type { WriteOfferResult } from './new-offer.ts'
import type { OfferRecord } from './offer-record.ts'
import { type OfferReferences, readReferences } from './offer-references.ts'
import { created, type Request, resolveOffer } from './resolve-offer.ts'
import { answerFromKey, leftMs, mustReserve, withKey } from './with-key.ts'

export const createOffer: Handler<typeof offers.operations.create_offer, Deps> = async (
  { headers, body },
  caller,
  deps,
) => {
  const request = { body: body as OfferInput, input: normalise(body as OfferInput), caller, deps }
  const key = headers['idempotency-key']
  const use =
    key === undefined ? undefined : { workspace: caller.workspace, key, intent: intentOf(request.input) }
  const work = () => untilWritten(request, use)
  const until = Date.now() + leftMs(deps)
  const { id, short_hash, replayed } = await (use ? deps.keyTurns(use, until, work) : work())
  return { body: { id, short_hash }, headers: replayed ? { 'Idempotent-Replayed': 'true' } : {} }
}

/**
 * Each round starts from the current state of the database; a reference that moved or a key that was freed
 * requires another.
 */
async function untilWritten(request: Request, use: IdempotentRequest | undefined): Promise<CreatedOffer> {
  while (leftMs(request.deps) > 0) {
    const offer = await attempt(request, use)
    if (offer) return offer
  }
  throw refusal('overloaded')
}

async function attempt(
  request: Request,
  use: IdempotentRequest | undefined,
): Promise<CreatedOffer | undefined> {
  const { body, caller, deps } = request
  const cached = deps.referenceCache.get(caller.workspace, body)
  const resolved = cached && (await resolveFromCache(request, use, cached))
  if (resolved) return write(request, use, resolved)
  const references = await readReferences(deps.sql, caller.workspace, body, { key: use?.key })
  deps.referenceCache.set(caller.workspace, body, references)
  return withKey(request, use, references, async () =>
    write(request, use, await resolveOffer(request, references)),
  )
}

/**
 * The offer if nothing has changed since the catalogue was last read; undefined if only the database can
 * tell. That includes refusals: the key may have an offer, or the reference another target, by now.
 */
async function resolveFromCache(
  request: Request,
  use: IdempotentRequest | undefined,
  cached: OfferReferences,
): Promise<OfferRecord | undefined> {
  if (use && mustReserve(request.body, cached, request.deps)) return undefined
  return resolveOffer(request, cached).catch(error => {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  })
}

/** Undefined: a reference moved or was deleted, start over. */
async function write(request: Request, use: IdempotentRequest | undefined, offer: OfferRecord) {
  const { body, caller, deps } = request
  const pinned = body.package_version_id === undefined
  const outcome = await deps
    .writeOffer({ offer, pinned, use, by: deps.call.by, deadline: deps.call.deadline })
    .catch((error): WriteOfferResult => {
      if (sqlstate(error) === foreignKeyViolation) return { is: 'moved' }
      throw error
    })
  if (outcome.is === 'written') return created(offer, deps)
  if (use && outcome.is === 'taken') return answerFromKey(request, use, outcome.key)
  deps.referenceCache.delete(caller.workspace, body)
  return undefined
}
