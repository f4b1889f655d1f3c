/** POST /offers: specification, "POST /offers", rules 1 to 8; design, section 8, "Create". */
import type { ScopedCaller } from '@svc/contract/caller'
import { ApiError, entryOf, envelopeError, refusal } from '@svc/contract/errors'
import type { OfferInput } from '@svc/contract/offer-input'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { awaitKey, patienceMs, takeOverMs } from './await-key.ts'
import { fieldValueProblems, secretFields } from './check-field-values.ts'
import { referenceProblems } from './check-references.ts'
import type { Deps } from './deps.ts'
import { type Facts, readFacts } from './facts.ts'
import {
  type CreatedOffer,
  type KeyRow,
  type KeyUse,
  keyRefusal,
  purgeKey,
  readKey,
  stateOf,
} from './idempotency-key.ts'
import { type NormalisedInput, intentOf, normalise } from './intent.ts'
import { type OfferRecord, offerRecord } from './offer-record.ts'
import { completeReservation, type Reservation, releaseKey, reserveKey, takeOverKey } from './reservation.ts'
import { resolveTerms } from './resolve-terms.ts'
import { inOffer, placeOfOffer, sealValues, type Values } from './sealed-values.ts'
import type { Outcome } from './write-offer.ts'

export const createOffer: Handler<typeof offers.operations.create, Deps> = async (
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

/** Each round starts from what the database says now; a reference that moved or a key that was freed asks for another. */
async function untilWritten(request: Request, use: KeyUse | undefined): Promise<CreatedOffer> {
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

/** What is kept for the last statements of a call, out of its budget. */
const reserveMs = 300
const leftMs = ({ call }: Deps) => call.deadline - reserveMs - Date.now()

async function attempt(request: Request, use: KeyUse | undefined): Promise<CreatedOffer | undefined> {
  const { body, caller, deps } = request
  const assumed = deps.known.assume(caller.workspace, body)
  const supposed = assumed && (await suppose(request, use, assumed))
  if (supposed) return write(request, use, supposed)
  const facts = await readFacts(deps.sql, caller.workspace, body, { key: use?.key })
  deps.known.learn(caller.workspace, body, facts)
  if (use && facts.key) return settle(request, use, facts.key)
  if (use && mustReserve(body, facts, deps)) return reserve(request, use, facts)
  return write(request, use, await resolveOffer(request, facts))
}

/**
 * The offer as it would be if nothing had moved since the catalogue was last read; undefined where only a look at it as
 * it is now can tell. A refusal is one of those cases: the key may have an offer, the reference another target by now.
 */
async function suppose(
  request: Request,
  use: KeyUse | undefined,
  assumed: Facts,
): Promise<OfferRecord | undefined> {
  if (use && mustReserve(request.body, assumed, request.deps)) return undefined
  return resolveOffer(request, assumed).catch(error => {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  })
}

/** Undefined: a reference moved or was deleted, start over. */
async function write(request: Request, use: KeyUse | undefined, offer: OfferRecord) {
  const { body, caller, deps } = request
  const pinned = body.package_version_id === undefined
  const outcome = await deps
    .writeOffer({ offer, pinned, use, deadline: deps.call.deadline })
    .catch((error): Outcome => {
      if (sqlstate(error) === foreignKeyViolation) return { is: 'moved' }
      throw error
    })
  if (outcome.is === 'written') return created(offer, deps)
  if (use && outcome.is === 'taken') return settle(request, use, outcome.key)
  deps.known.forget(caller.workspace, body)
  return undefined
}

/**
 * Rule 7: a version that the server chooses is bound before work begins that may take long. Where nothing is left to
 * do but to write, choosing and writing are one statement instead.
 */
function mustReserve(
  { package_version_id, field_values = {} }: OfferInput,
  { version }: Facts,
  { schemas }: Deps,
) {
  const chosenHere = package_version_id === undefined && version !== undefined
  return chosenHere && Object.keys(field_values).length > 0 && !schemas.knows(version.schema_hash)
}

async function reserve(request: Request, use: KeyUse, facts: Facts): Promise<CreatedOffer | undefined> {
  const { body, deps } = request
  const problems = referenceProblems(body, facts)
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  const row = await reserveKey(deps.sql, use, body.product_id ?? '', deps.now())
  if (!row) return undefined
  return row.won ? fulfil(request, { use, ...row }) : settle(request, use, row)
}

/** Finishes what a reservation holds, on the version that it bound. */
async function fulfil(request: Request, reservation: Reservation): Promise<CreatedOffer | undefined> {
  const { use } = reservation
  const { sql, now } = request.deps
  const offer = await resolveBound(request, reservation).catch(async error => {
    if (freesKey(error, reservation)) await releaseKey(sql, reservation)
    throw error
  })
  const completed = await completeReservation(sql, reservation, offer, now()).catch(async error => {
    // What the offer refers to was deleted meanwhile: the next round says so.
    const moved = sqlstate(error) === foreignKeyViolation
    if (moved || freesKey(error, reservation)) await releaseKey(sql, reservation)
    if (!moved) throw error
    return undefined
  })
  if (completed === undefined) return undefined
  if (completed) return created(offer, request.deps)
  const row = await readKey(sql, use)
  return row && settle(request, use, row)
}

async function resolveBound(request: Request, { package_version_id: boundVersion }: Reservation) {
  const { body, caller, deps } = request
  return resolveOffer(request, await readFacts(deps.sql, caller.workspace, body, { boundVersion }))
}

/** Answers from a key that is taken: rules 2, 3 and 7. Undefined: it is free now, start over. */
async function settle(request: Request, use: KeyUse, row: KeyRow): Promise<CreatedOffer | undefined> {
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
  // Whoever takes it over starts from the beginning, and what the first one has done so far is lost.
  const mayTakeOver = left >= patienceMs + takeOverMs
  const next = await awaitKey(sql, use, row, Date.now() + (mayTakeOver ? patienceMs : left))
  if (!next || next.fence !== row.fence || next.offer_id) return next && settle(request, use, next)
  if (!mayTakeOver) throw keyRefusal('key_in_flight')
  const taken = await takeOverKey(sql, use, row.fence, now())
  return taken && fulfil(request, { use, won: false, ...taken })
}

/** Everything that is checked before an offer exists: what it refers to, its terms, its time, its field values. */
async function resolveOffer({ body, input, caller, deps }: Request, facts: Facts): Promise<OfferRecord> {
  const unresolved = referenceProblems(body, facts)
  if (unresolved.length > 0 || !facts.version) throw envelopeError('Unprocessable', unresolved)
  const { terms, problems } = resolveTerms(body, facts.channel?.active?.policy)
  if (body.expires_at !== undefined && body.expires_at * 1000 <= deps.now()) {
    problems.push(
      entryOf('time_in_past', { path: ['expires_at'], message: 'expires_at must lie in the future.' }),
    )
  }
  problems.push(...(await fieldValueProblems(body, facts.version, deps)))
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  return sealed(offerRecord(input, caller, facts, terms, deps.now()), facts.version, deps)
}

/** With what nobody is to read sealed. */
async function sealed(offer: OfferRecord, version: NonNullable<Facts['version']>, deps: Deps) {
  if (Object.keys(offer.field_values).length === 0) return offer
  const secret = await secretFields(version, deps)
  if (secret.size === 0) return offer
  const seal = (values: Values) => sealValues(deps.seal, values, secret, placeOfOffer(offer.id))
  return { ...offer, field_values: inOffer(offer.field_values, seal) }
}

function created({ id, short_hash }: OfferRecord, { eventWritten }: Deps): CreatedOffer {
  eventWritten()
  return { id, short_hash, replayed: false }
}

/**
 * A refusal frees the key (design, "Create"). So does a 503, whose body says that nothing was executed: a client that
 * retries a minute later must not find the key shut for a day. A binding that another attempt made is not undone by it.
 */
function freesKey(error: unknown, { won }: Reservation): boolean {
  return error instanceof ApiError && (error.status < 500 || (won && error.tag === 'Unavailable'))
}
