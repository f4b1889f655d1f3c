/**
 * - `target_not_allowed`: what `checkTarget` refuses
 * - `address_not_allowed`: the name has no address, or one that is not public
 * - `connect`, `tls`: no connection, or none that is to the host of the URL for certain
 * - `protocol`: no complete answer in HTTP/1.1, or more before it than is read
 * - `redirect`: an answer that names another URL, which is not followed
 * - `timeout`, `aborted`: ended by the time limit, or by the caller; where `aborted`, it may not have begun
 */
export type OutboundErrorCode =
  | 'target_not_allowed'
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
