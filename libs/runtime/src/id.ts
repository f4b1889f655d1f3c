/** New ids: TypeIDs, which sort by the time at which they were made. */
import { typeid } from 'typeid-js'

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
  | 'clus'

export const newId = (prefix: IdPrefix): string => typeid(prefix).toString()

/** The id of one request, in logs and in the header `Svc-Request-Id`. */
export const newRequestId = (): string => typeid('req').toString()
