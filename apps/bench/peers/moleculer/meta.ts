import type { Caller } from '../shared/caller.ts'

/** What stands beside the parameters of a call: moleculer-web reads the names that begin with `$`. */
export interface Meta {
  user: Caller
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
  $statusCode?: number
  $location?: string
  $responseHeaders?: Record<string, string>
}
