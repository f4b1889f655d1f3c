/** New ids: TypeIDs, which sort by the time at which they were made. */
import { randomInt } from 'node:crypto'
import { typeidUnboxed } from 'typeid-js'

export type IdPrefix =
  | 'ws'
  | 'user'
  | 'tok'
  | 'sess'
  | 'offer'
  | 'prod'
  | 'pkg'
  | 'pkgv'
  | 'och'
  | 'inst'
  | 'order'
  | 'clus'
  | 'grant'
  | 'msg'

export const newId = (prefix: IdPrefix): string => typeidUnboxed(prefix)

/** The id of one request, in logs and in the header `Svc-Request-Id`. */
export const newRequestId = (): string => typeidUnboxed('req')

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** 12 random base58 characters (70 bits): the customer-facing name of an offer, in `/i/<short_hash>`. */
export const newShortHash = (): string => Array.from({ length: 12 }, () => base58[randomInt(58)]).join('')
