/**
 * What a request costs the processor grows with its bytes, here and in the services: most of it is to read and parse them. An address
 * that sends more than its share waits before its next request is looked at, and the turns of the event loop are everybody else's.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { addressKey } from '../http/address-key.ts'
import { createPace } from './pace.ts'

export interface AddressPace {
  readonly bytesPerSecond: number
  /** So many seconds' worth at once. */
  readonly burstSeconds: number
}

export const addressPace: AddressPace = { bytesPerSecond: 4 * 1024 * 1024, burstSeconds: 2 }

/** Below the time-outs of load balancers and of most clients. */
const longestMs = 8000

/** Resolves when the request may be looked at, never where its client leaves before; undefined: at once. */
export type AwaitPace = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined

/** From `leaving` on nobody waits. */
export function paceAddresses(
  leaving: AbortSignal,
  { bytesPerSecond, burstSeconds }: AddressPace = addressPace,
): AwaitPace {
  const pace = createPace({ atOnceMs: 1000 * burstSeconds, longestMs })
  /** Of each connection the bytes that were counted. */
  const counted = new WeakMap<Socket, number>()
  const waiting = new Map<Socket, () => void>()
  leaving.addEventListener('abort', () => {
    for (const go of [...waiting.values()]) go()
  })

  const spend = (key: string, socket: Socket) => {
    // What is injected has no socket of its own.
    const { bytesRead = 0 } = socket
    const bytes = bytesRead - (counted.get(socket) ?? 0)
    counted.set(socket, bytesRead)
    return pace(key, (1000 * bytes) / bytesPerSecond)
  }

  return ({ address, raw: { socket } }, { raw: response }) => {
    const key = addressKey(address)
    // What comes after the headers of its last request.
    if (!counted.has(socket)) socket.once('close', () => spend(key, socket))
    const ms = spend(key, socket)
    if (ms <= 0 || leaving.aborted) return undefined
    // Who sends more while they wait would fill the memory.
    if (waiting.has(socket)) socket.destroy()
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(socket)
      }
      const go = () => {
        end()
        resolve()
      }
      const timer = setTimeout(go, ms).unref()
      waiting.set(socket, go)
      response.once('close', end)
    })
  }
}
