/** Several calls of one operation, or several replies, in one message: docs/bus.md. */
import { decodeHeaders, type Headers } from './headers.ts'

/** One of them: the block of its headers as it would be sent alone (ADR-4), and its body. */
export interface Part {
  readonly headers: Uint8Array
  readonly body: Uint8Array
}

/** A part as received. */
export interface ReceivedPart {
  /** @throws Error where one is malformed */
  readonly headers: () => Headers
  readonly data: Uint8Array
}

/** The subject on which an operation takes bundles, beside its own. A token of the same depth, so the same users may serve it. */
export const bundleSubject = (subject: string): string => `${subject}-bundle`

/** Calls above this size go alone: copying them costs more than a message. */
export const maxPartBytes = 16 * 1024
/** Of a bundle: few enough that one replica does not get the work of all. */
export const maxParts = 32
export const maxBundleBytes = 128 * 1024

export const sizeOf = ({ headers, body }: Part): number => headers.length + body.length

/** The lengths of each part's headers and body, for the header that describes the bundle, and all parts in a row. */
export function joinParts(parts: readonly Part[]): { sizes: string; data: Uint8Array } {
  const sizes = parts.map(({ headers, body }) => `${headers.length}+${body.length}`).join(',')
  return { sizes, data: Buffer.concat(parts.flatMap(({ headers, body }) => [headers, body])) }
}

/** @throws Error where the sizes are not those of the data */
export function splitParts(sizes: string, data: Uint8Array): ReceivedPart[] {
  let at = 0
  const parts = sizes.split(',').map(size => {
    const [, headers, body] = /^(\d{1,7})\+(\d{1,7})$/.exec(size) ?? []
    const from = at + Number(headers)
    const block = data.subarray(at, from)
    at = from + Number(body)
    return { headers: () => decodeHeaders(block), data: data.subarray(from, at) }
  })
  if (at !== data.length) throw new Error('The sizes of a bundle are not those of its parts.')
  return parts
}
