/** Connections that send the beginning of a request, and wait. */
import { connect } from 'node:net'

interface Slow {
  readonly url: URL
  /** The attacker's address. */
  readonly from: string
  readonly connections: number
  /** What each of them sends. */
  readonly bytes: Buffer
}

interface Ended {
  /** How many were closed. */
  readonly closed: number
  /** Milliseconds until the last one was. */
  readonly longestMs: number
}

/** Opens them all at once, and settles when the last one is closed by the other side. */
export async function holdOpen({ url, from, connections, bytes }: Slow): Promise<Ended> {
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, () => one()))
  return { closed: connections, longestMs: performance.now() - began }

  function one(): Promise<void> {
    return new Promise(resolve => {
      const socket = connect({ host: url.hostname, port: Number(url.port), localAddress: from })
      socket.once('connect', () => socket.write(bytes))
      socket.on('data', () => {})
      socket.once('error', () => {})
      socket.once('close', () => resolve())
    })
  }
}
