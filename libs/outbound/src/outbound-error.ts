/**
 * - `target_not_allowed`: what `checkTarget` refuses
 * - `dns`: the name has no address
 * - `address_not_allowed`: it has one that is not public
 * - `connect`, `tls`: no connection, or none that is to the host of the URL for certain
 * - `protocol`: no complete answer in HTTP/1.1
 * - `redirect`: an answer that names another URL, which is not followed
 * - `timeout`, `aborted`: ended by the time limit, or by the caller
 */
export type OutboundErrorCode =
  | 'target_not_allowed'
  | 'dns'
  | 'address_not_allowed'
  | 'connect'
  | 'tls'
  | 'protocol'
  | 'redirect'
  | 'timeout'
  | 'aborted'

/** Why nothing was received. Its message is for whoever gave the URL: it has no address in it. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundErrorCode
  /** From the call on. */
  readonly durationMs: number
  /** Where the answer began. */
  readonly status: number | undefined

  constructor(code: OutboundErrorCode, message: string, durationMs = 0, status?: number, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.durationMs = durationMs
    this.status = status
  }
}
