/**
 * Responses that stay the same while this process runs: compressed once, on first use, and cached by
 * browsers.
 */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accepts } from './accepted-coding.ts'

export interface Kept {
  readonly type: string
  readonly content: string
  readonly gzip: Buffer
  readonly br: Buffer
  readonly etag: string
}

export function keep(type: string, content: string): Kept {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  // Nearly as small as with the best quality, in a hundredth of its time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  let gzip: Buffer | undefined
  let br: Buffer | undefined
  return {
    type,
    content,
    get gzip() {
      gzip ??= gzipSync(content)
      return gzip
    },
    get br() {
      br ??= brotliCompressSync(content, { params })
      return br
    },
    // Weak, since the bytes differ with the coding (RFC 9110, 8.8.1).
    etag: `W/"${hash}"`,
  }
}

/** Browsers cache it and revalidate each time, so that a new release shows at once. */
export function sendKept({ headers }: FastifyRequest, reply: FastifyReply, kept: Kept) {
  const { type, content, etag } = kept
  reply.header('etag', etag).header('cache-control', 'public, no-cache').header('vary', 'accept-encoding')
  if (holds(headers['if-none-match'], etag)) return reply.removeHeader('content-type').code(304).send()
  reply.type(type)
  const coding = (['br', 'gzip'] as const).find(each => accepts(headers['accept-encoding'] ?? '', each))
  return coding ? reply.header('content-encoding', coding).send(kept[coding]) : reply.send(content)
}

/** RFC 9110, 13.1.2: by weak comparison. */
function holds(held: string | undefined, etag: string): boolean {
  if (held?.trim() === '*') return true
  return held?.split(',').some(one => one.trim().replace(/^W\//, '') === etag.replace(/^W\//, '')) ?? false
}
