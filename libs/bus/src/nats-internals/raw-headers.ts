/**
 * Headers of messages as bytes, bypassing the library's own reading and writing.
 *
 * nats.js 2.29.3 (`lib/nats-base-client/headers.js`)
 * - compares every name with every other, per header (lines 213-221) and per look-up (lines 166-187), which took a
 * tenth of a request's time;
 * - also trims U+00A0 and U+FEFF from values (lines 126 and 157), which would make two idempotency keys one;
 * - silently drops a line without a colon (line 125).
 *
 * It does not expose bytes: received ones are in private fields, and `publish` takes an object of its own class, of
 * which it only calls `encode`.
 */
import type { Msg, MsgHdrs, ServiceMsg } from 'nats'

interface Received {
  readonly _rdata: Uint8Array
  readonly _msg: { readonly hdr: number }
}

/** The headers of a received message, beginning with the version line; undefined if it has none. */
export function rawHeadersOf(msg: Msg | ServiceMsg): Uint8Array | undefined {
  const { _rdata: data, _msg: frame } = ('msg' in msg ? msg.msg : msg) as unknown as Received
  return frame.hdr > 0 ? data.subarray(0, frame.hdr) : undefined
}

/** Headers to publish, from their bytes. */
export const rawHeaders = (bytes: Uint8Array): MsgHdrs => ({ encode: () => bytes }) as unknown as MsgHdrs
