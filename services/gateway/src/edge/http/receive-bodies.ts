/**
 * Reads bodies when there is room, so that many slow clients do not fill the memory, and drops those that barely
 * progress. A body that arrived with its headers is not affected.
 */
import { refusal } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressKey } from './address-key.ts'
import { bodyLimit } from './http-limits.ts'

export interface BodyBudget {
  readonly total: number
  readonly perHolder: number
  /** Fewer bytes in {@link windowMs} are too slow. */
  readonly leastPerWindow: number
}

export const bodyBudget: BodyBudget = {
  total: 128 * bodyLimit,
  perHolder: 16 * bodyLimit,
  leastPerWindow: 1024,
}

const windowMs = 1000
const lookEveryMs = 250

interface Arriving {
  readonly request: FastifyRequest
  /** Bytes by its headers; without them the maximum. */
  readonly size: number
  readonly holders: readonly string[]
  readonly start: () => void
  windowBegan: number
  bytesThen: number
}

/** Pauses bodies there is no room for: TCP holds them back, and the usual timeouts apply. */
export function receiveBodies(app: FastifyInstance, budget: BodyBudget = bodyBudget): void {
  const used = new Map<string, number>()
  let total = 0
  const reading = new Set<Arriving>()
  const waiting = new Map<string, Set<Arriving>>()
  let looking: NodeJS.Timeout | undefined
  let lookedAt = 0

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const size = sizeOf(request)
    // Fastify refuses a body that is too large by its header.
    if (size === 0 || size > maxBytesOf(request)) return done()
    const holders = holdersOf(request)
    const arriving: Arriving = { request, size, holders, start: done, windowBegan: 0, bytesThen: 0 }
    request.raw.once('end', () => release(arriving))
    reply.raw.once('close', () => {
      if (release(arriving) === 'waited') done(refusal('request_timeout'))
    })
    if (fits(arriving)) read(arriving)
    else enqueue(arriving)
  })

  // The rest of a short body is read, so that the connection can be used again; a long one ends it (RFC 9112, 9.3).
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isLong(request)) {
      reply.header('connection', 'close')
      // Node.js would drop it uncounted.
      request.raw.resume()
    }
    done()
  })

  function fits({ size, holders }: Arriving): boolean {
    if (total + size > budget.total) return false
    return holders.every(holder => (used.get(holder) ?? 0) + size <= budget.perHolder)
  }

  function read(arriving: Arriving) {
    take(arriving, arriving.size)
    reading.add(arriving)
    arriving.windowBegan = performance.now()
    arriving.bytesThen = arriving.request.socket.bytesRead
    if (!looking) {
      lookedAt = arriving.windowBegan
      looking = setInterval(look, lookEveryMs).unref()
    }
    arriving.start()
  }

  function enqueue(arriving: Arriving) {
    const key = arriving.holders.join(' ')
    const like = waiting.get(key)
    if (like) like.add(arriving)
    else waiting.set(key, new Set([arriving]))
  }

  function release(arriving: Arriving): 'waited' | undefined {
    if (!reading.delete(arriving)) return leave(arriving) ? 'waited' : undefined
    take(arriving, -arriving.size)
    if (reading.size === 0) {
      clearInterval(looking)
      looking = undefined
    }
    readWaiting()
    return undefined
  }

  function leave(arriving: Arriving): boolean {
    const key = arriving.holders.join(' ')
    const like = waiting.get(key)
    const left = like?.delete(arriving) ?? false
    if (like?.size === 0) waiting.delete(key)
    return left
  }

  function take({ holders }: Arriving, bytes: number) {
    total += bytes
    for (const holder of holders) {
      const now = (used.get(holder) ?? 0) + bytes
      if (now > 0) used.set(holder, now)
      else used.delete(holder)
    }
  }

  function readWaiting() {
    for (const [key, like] of [...waiting]) {
      const [next] = like
      if (!next || !fits(next)) continue
      waiting.delete(key)
      like.delete(next)
      if (like.size > 0) waiting.set(key, like)
      read(next)
    }
  }

  function look() {
    const now = performance.now()
    // While the process was paused it did not read data that clients sent.
    const stoodStill = Math.max(0, now - lookedAt - lookEveryMs)
    lookedAt = now
    for (const arriving of reading) {
      arriving.windowBegan += stoodStill
      if (now - arriving.windowBegan < windowMs) continue
      const { socket } = arriving.request
      if (socket.bytesRead - arriving.bytesThen >= budget.leastPerWindow) {
        arriving.windowBegan = now
        arriving.bytesThen = socket.bytesRead
        continue
      }
      release(arriving)
      // Like Node.js for requests that take too long.
      app.server.emit(
        'clientError',
        Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        socket,
      )
    }
  }
}

/** Bytes of the body still to come; 0 if it is complete, or there is none. */
function sizeOf(request: FastifyRequest): number {
  const { complete, headers } = request.raw
  if (complete) return 0
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : maxBytesOf(request)
}

const isLong = ({ raw: { complete, headers } }: FastifyRequest): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > bodyLimit)

/** Some forms are longer than any body of the API. */
const maxBytesOf = ({ routeOptions }: FastifyRequest): number => routeOptions.bodyLimit ?? bodyLimit

function holdersOf({ address, caller }: FastifyRequest): string[] {
  const sender = `address ${addressKey(address)}`
  return caller && caller.kind !== 'anonymous' ? [sender, `${caller.kind} ${caller.id}`] : [sender]
}
