/**
 * What a request costs the processor grows with its bytes, here and in the services: most of it is to read and parse them. An address
 * that sends more than its share waits before its next request is looked at, and the turns of the event loop are everybody else's. One
 * that is too far behind waits as long and is refused then: many connections get no more through than one.
 */
import { refusal } from '@svc/contract/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from '../http/address-key.ts'
import { createPace } from './pace.ts'

export interface AddressPace {
  readonly bytesPerSecond: number
  /** How many seconds' worth may be spent at once. */
  readonly burstSeconds: number
  /** Below the time-outs of load balancers and of most clients. */
  readonly longestMs: number
}

export const addressPace: AddressPace = {
  bytesPerSecond: 4 * 1024 * 1024,
  burstSeconds: 2,
  longestMs: 8000,
}

/** Most requests are shorter: on a connection that is kept they are counted with later ones. */
const countedBytes = 4096

/**
 * Resolves when the request may be looked at, never where its client leaves before; undefined: at once.
 *
 * @throws ApiError `RateLimited` where its address sends too much for the longest wait
 */
export type AwaitPace = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined

const tooMuch = () =>
  refusal('share_exceeded', {
    message:
      'Your network address sends more bytes than its share. Nothing was executed: send fewer at once.',
    headers: { 'Retry-After': '5', connection: 'close' },
  })

/** From `leaving` on nobody waits. */
export function paceAddresses(
  leaving: AbortSignal,
  { bytesPerSecond, burstSeconds, longestMs }: AddressPace = addressPace,
): AwaitPace {
  const pace = createPace({ atOnceMs: 1000 * burstSeconds, longestMs })
  /** Per connection: the bytes counted so far, and who sends what comes next, since a proxy sends for many. */
  const connections = new WeakMap<Socket, { bytes: number; address: string }>()
  const waiting = new Map<Socket, () => void>()
  leaving.addEventListener('abort', () => {
    for (const go of [...waiting.values()]) go()
  })

  const spend = (address: string, bytes: number) => pace(addressKey(address), (1000 * bytes) / bytesPerSecond)

  /** For how many milliseconds a request has to wait. */
  const count = (
    address: string,
    { socket, url = '', rawHeaders, readableLength }: IncomingMessage,
  ): number => {
    // What is injected has no socket of its own.
    const { bytesRead = 0 } = socket
    const one = connections.get(socket)
    if (!one) {
      const made = { bytes: bytesRead, address }
      connections.set(socket, made)
      // What comes after the headers of its last request.
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
    // Who sends more while they wait would fill the memory.
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
