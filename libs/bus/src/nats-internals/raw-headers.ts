/**
 * Headers of messages as bytes, past the library's own reading and writing.
 *
 * nats.js 2.29.3 (`lib/nats-base-client/headers.js`)
 * - compares every name with every other, per header (lines 213-221) and per look (lines 166-187), which was a tenth of
 *   what a request costs;
 * - trims values of U+00A0 and U+FEFF as well (lines 126 and 157), which would make two idempotency keys one;
 * - drops a line without a colon in silence (line 125).
 *
 * It offers no bytes: received ones are in private fields, and `publish` takes an object of its own class, of which it
 * uses `encode` alone.
 */
import type { Msg, MsgHdrs, ServiceMsg } from 'nats'

interface Received {
  readonly _rdata: Uint8Array
  readonly _msg: { readonly hdr: number }
}

/** The headers of a received message, with the line of the version first; undefined where it has none. */
export function rawHeadersOf(msg: Msg | ServiceMsg): Uint8Array | undefined {
  const { _rdata: data, _msg: frame } = ('msg' in msg ? msg.msg : msg) as unknown as Received
  return frame.hdr > 0 ? data.subarray(0, frame.hdr) : undefined
}

/** Headers to publish with, from their bytes. */
export const rawHeaders = (bytes: Uint8Array): MsgHdrs => ({ encode: () => bytes }) as unknown as MsgHdrs
