/** What belongs to the `Idempotency-Key` of a creation: docs/specification.md, R21 to R33. */
import { ApiError, envelopeError } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import type { Deps } from '../../deps.ts'
import { awaitKey, patienceMs, takeOverMs } from './await-key.ts'
import { referenceProblems } from './check-references.ts'
import {
  type CreatedOffer,
  type IdempotentRequest,
  type KeyRow,
  keyRefusal,
  purgeKey,
  readKey,
  stateOf,
} from './idempotency-key.ts'
import { type OfferReferences, readReferences } from './offer-references.ts'
import { insertReservedOffer, type Reservation, releaseKey, reserveKey, takeOverKey } from './reservation.ts'
import { created, type Request, resolveOffer } from './resolve-offer.ts'

/** The part of a call's budget reserved for its last statements. */
const reserveMs = 300
export const leftMs = ({ call }: Deps) => call.deadline - reserveMs - Date.now()

/**
 * Does the `work` of a creation whose references were just read, unless its key has an answer, or must be reserved first.
 *
 * @returns undefined: something moved meanwhile, start over
 * @throws ApiError `Conflict` where the key is another request's
 */
export function withKey(
  request: Request,
  use: IdempotentRequest | undefined,
  references: OfferReferences,
  work: () => Promise<CreatedOffer | undefined>,
): Promise<CreatedOffer | undefined> {
  if (use && references.key) return answerFromKey(request, use, references.key)
  if (use && mustReserve(request.body, references, request.deps)) return reserve(request, use, references)
  return work()
}

/**
 * docs/specification.md, R32: a version chosen by the server is bound before any work that may take long. If only the write is
 * left, choosing and writing are one statement.
 */
export function mustReserve(
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
export async function answerFromKey(
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

/**
 * A refusal frees the key (docs/specification.md, R33). So does a 503, whose body says that nothing was executed: a
 * client that retries a minute later must not find the key blocked for a day. It does not undo another
 * attempt's binding.
 */
function freesKey(error: unknown, { won }: Reservation): boolean {
  return error instanceof ApiError && (error.status < 500 || (won && error.tag === 'Unavailable'))
}
