import { randomInt } from 'node:crypto'
import { fromUUID, typeidUnboxed } from 'typeid-js'

/** @param prefix the type of the id: `offer`, `ws` */
export const newId = (prefix: string): string => typeidUnboxed(prefix)

export const newRequestId = (): string => typeidUnboxed('req')

/**
 * A TypeID made of the event's time and the random bits of its UUID, so that it is always the same.
 *
 * @param uuid of version 4, whose bits become those of a version 7 of the same variant (RFC 9562)
 */
export function eventId(uuid: string, createdMs: number): string {
  const time = createdMs.toString(16).padStart(12, '0')
  return fromUUID(`${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`, 'evt')
}

/** The lowest TypeID of a moment, in Unix milliseconds: ids grow with time (RFC 9562, 5.7). */
export function idAt(prefix: string, ms: number): string {
  const time = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return fromUUID(`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`, prefix)
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** 12 random base58 characters (70 bits): the customer-facing name of an offer, in `/i/<short_hash>`. */
export const newShortHash = (): string => Array.from({ length: 12 }, () => base58[randomInt(58)]).join('')
