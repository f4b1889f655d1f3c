/**
 * A request's cost grows with its bytes, here and in the services, mostly for reading and parsing. An address that
 * exceeds its share waits before its next request is read, which leaves the event loop to others. Beyond the
 * longest wait it is refused, so many connections gain nothing over one.
 */
import { refusal } from '@svc/contract/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from '../http/address-key.ts'
import { createPace } from './pace.ts'

export interface AddressPace {
  readonly bytesPerSecond: number
  readonly burstSeconds: number
  /** Below the time-outs of load balancers and of most clients. */
  readonly longestMs: number
}

export const addressPace: AddressPace = {
  bytesPerSecond: 4 * 1024 * 1024,
  burstSeconds: 2,
  longestMs: 8000,
}

/** Most requests are shorter: on a keep-alive connection they are counted with later ones. */
const countedBytes = 4096

/**
 * Resolves when the request may be read, or never if its client leaves first; undefined: at once.
 *
 * @throws ApiError `RateLimited` if its address exceeds the longest wait
 */
export type AwaitPace = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined

const tooMuch = () =>
  refusal('share_exceeded', {
    message:
      'Your network address sends more bytes than its share. Nothing was executed: send fewer at once.',
    headers: { 'Retry-After': '5', connection: 'close' },
  })

export function paceAddresses(
  leaving: AbortSignal,
  { bytesPerSecond, burstSeconds, longestMs }: AddressPace = addressPace,
): AwaitPace {
  const pace = createPace({ atOnceMs: 1000 * burstSeconds, longestMs })
  const connections = new WeakMap<Socket, { bytes: number; address: string }>()
  const waiting = new Map<Socket, () => void>()
  leaving.addEventListener('abort', () => {
    for (const go of [...waiting.values()]) go()
  })

  const spend = (address: string, bytes: number) => pace(addressKey(address), (1000 * bytes) / bytesPerSecond)

  /** Milliseconds that a request has to wait. */
  const count = (
    address: string,
    { socket, url = '', rawHeaders, readableLength }: IncomingMessage,
  ): number => {
    // An injected request has no socket of its own.
    const { bytesRead = 0 } = socket
    const one = connections.get(socket)
    if (!one) {
      const made = { bytes: bytesRead, address }
      connections.set(socket, made)
      // Counts bytes after the headers of its last request.
      socket.once('close', () => spend(made.address, socket.bytesRead - made.bytes))
      return spend(address, bytesRead)
    }
    const bytes = bytesRead - one.bytes
    if (address === one.address) {
      if (bytes < countedBytes) return 0
      one.bytes = bytesRead
      return spend(address, bytes)
    }
    const own = Math.min(bytes, url.length + rawHeaders.join().length + readableLength)
    spend(one.address, bytes - own)
    Object.assign(one, { bytes: bytesRead, address })
    return spend(address, own)
  }

  return ({ address, raw }, { raw: response }) => {
    const { socket } = raw
    const ms = count(address, raw)
    if (ms <= 0 || leaving.aborted) return undefined
    // A client that sends more while it waits would fill the memory.
    if (waiting.has(socket)) socket.destroy()
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(socket)
      }
      const go = () => {
        end()
        resolve()
      }
      const refuse = () => {
        end()
        reject(tooMuch())
      }
      const timer = (ms > longestMs ? setTimeout(refuse, longestMs) : setTimeout(go, ms)).unref()
      waiting.set(socket, go)
      response.once('close', end)
    })
  }
}
