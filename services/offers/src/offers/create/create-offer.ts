/** POST /offers: docs/specification.md, R21 to R33; docs/architecture.md, "One statement for a write". */
import type { ScopedCaller } from '@svc/contract/core/caller'
import { ApiError, entryOf, envelopeError, refusal } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { awaitKey, patienceMs, takeOverMs } from './await-key.ts'
import { fieldValueProblems, secretFields } from './check-field-values.ts'
import { referenceProblems } from './check-references.ts'
import type { Deps } from '../../deps.ts'
import { type OfferReferences, readReferences } from './offer-references.ts'
import {
  type CreatedOffer,
  type KeyRow,
  type IdempotentRequest,
  keyRefusal,
  purgeKey,
  readKey,
  stateOf,
} from './idempotency-key.ts'
import { type NormalisedInput, intentOf, normalise } from './intent.ts'
import type { WriteOfferResult } from './new-offer.ts'
import { type OfferRecord, offerRecord } from './offer-record.ts'
import { insertReservedOffer, type Reservation, releaseKey, reserveKey, takeOverKey } from './reservation.ts'
import { resolveTerms } from './resolve-terms.ts'
import { inOffer, offerContext, sealValues, type Values } from '../../sealing/sealed-values.ts'

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

interface Request {
  readonly body: OfferInput
  readonly input: NormalisedInput
  readonly caller: ScopedCaller
  readonly deps: Deps
}

/** The part of a call's budget reserved for its last statements. */
const reserveMs = 300
const leftMs = ({ call }: Deps) => call.deadline - reserveMs - Date.now()

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
  if (use && references.key) return answerFromKey(request, use, references.key)
  if (use && mustReserve(body, references, deps)) return reserve(request, use, references)
  return write(request, use, await resolveOffer(request, references))
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

/**
 * docs/specification.md, R32: a version chosen by the server is bound before any work that may take long. If only the write is
 * left, choosing and writing are one statement.
 */
function mustReserve(
  { package_version_id, field_values = {} }: OfferInput,
  { version }: OfferReferences,
  { schemas }: Deps,
) {
  const chosenHere = package_version_id === undefined && version !== undefined
  return chosenHere && Object.keys(field_values).length > 0 && !schemas.isReady(version.schema_hash)
}

async function reserve(
  request: Request,
  use: IdempotentRequest,
  references: OfferReferences,
): Promise<CreatedOffer | undefined> {
  const { body, deps } = request
  const problems = referenceProblems(body, references)
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  const row = await reserveKey(deps.sql, use, body.product_id ?? '', deps.now())
  if (!row) return undefined
  return row.won ? completeReservation(request, { use, ...row }) : answerFromKey(request, use, row)
}

/** Completes a reservation with the version that it bound. */
async function completeReservation(
  request: Request,
  reservation: Reservation,
): Promise<CreatedOffer | undefined> {
  const { use } = reservation
  const { sql, now, call } = request.deps
  const offer = await resolveBound(request, reservation).catch(async error => {
    if (freesKey(error, reservation)) await releaseKey(sql, reservation)
    throw error
  })
  const completed = await insertReservedOffer(sql, reservation, { offer, by: call.by }, now()).catch(
    async error => {
      // What the offer refers to was deleted in the meantime: the next round reports it.
      const moved = sqlstate(error) === foreignKeyViolation
      if (moved || freesKey(error, reservation)) await releaseKey(sql, reservation)
      if (!moved) throw error
      return undefined
    },
  )
  if (completed === undefined) return undefined
  if (completed) return created(offer, request.deps)
  const row = await readKey(sql, use)
  return row && answerFromKey(request, use, row)
}

async function resolveBound(request: Request, { package_version_id: boundVersion }: Reservation) {
  const { body, caller, deps } = request
  return resolveOffer(request, await readReferences(deps.sql, caller.workspace, body, { boundVersion }))
}

/** Answers a request whose key is taken: rules 2, 3 and 7. Undefined: the key is free now, start over. */
async function answerFromKey(
  request: Request,
  use: IdempotentRequest,
  row: KeyRow,
): Promise<CreatedOffer | undefined> {
  const { sql, now } = request.deps
  const state = stateOf(row, use, now())
  if (state.is === 'replay') return state.offer
  if (state.is === 'refused') throw state.refusal
  if (state.is === 'free') {
    await purgeKey(sql, use, now())
    return undefined
  }
  const left = leftMs(request.deps)
  if (left <= 0) throw keyRefusal('key_in_flight')
  // A takeover starts from the beginning, and the work of the first attempt is lost.
  const mayTakeOver = left >= patienceMs + takeOverMs
  const next = await awaitKey(sql, use, row, Date.now() + (mayTakeOver ? patienceMs : left))
  if (!next || next.fence !== row.fence || next.offer_id) return next && answerFromKey(request, use, next)
  if (!mayTakeOver) throw keyRefusal('key_in_flight')
  const taken = await takeOverKey(sql, use, row.fence, now())
  return taken && completeReservation(request, { use, won: false, ...taken })
}

/** Everything that is checked before an offer exists: what it refers to, its terms, its time, its field values. */
async function resolveOffer(
  { body, input, caller, deps }: Request,
  references: OfferReferences,
): Promise<OfferRecord> {
  const unresolved = referenceProblems(body, references)
  if (unresolved.length > 0 || !references.version) throw envelopeError('Unprocessable', unresolved)
  const { terms, problems } = resolveTerms(body, references.channel?.active?.policy)
  if (body.expires_at !== undefined && body.expires_at * 1000 <= deps.now()) {
    problems.push(
      entryOf('time_in_past', { path: ['expires_at'], message: 'expires_at must be in the future.' }),
    )
  }
  problems.push(...(await fieldValueProblems(body, references.version, deps)))
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  return sealed(offerRecord(input, caller, references, terms, deps.now()), references.version, deps)
}

/** Seals the secret values. */
async function sealed(offer: OfferRecord, version: NonNullable<OfferReferences['version']>, deps: Deps) {
  if (Object.keys(offer.field_values).length === 0) return offer
  const secret = await secretFields(version, deps)
  if (secret.size === 0) return offer
  const seal = (values: Values) => sealValues(deps.seal, values, secret, offerContext(offer.id))
  return { ...offer, field_values: inOffer(offer.field_values, seal) }
}

function created({ id, short_hash }: OfferRecord, { eventWritten }: Deps): CreatedOffer {
  eventWritten()
  return { id, short_hash, replayed: false }
}

/**
 * A refusal frees the key (docs/specification.md, R33). So does a 503, whose body says that nothing was executed: a
 * client that retries a minute later must not find the key blocked for a day. It does not undo another
 * attempt's binding.
 */
function freesKey(error: unknown, { won }: Reservation): boolean {
  return error instanceof ApiError && (error.status < 500 || (won && error.tag === 'Unavailable'))
}
