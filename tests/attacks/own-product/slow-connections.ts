/** Connections that send the beginning of a request and then wait. */
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
  /** The milliseconds of the one that was open longest. With this many, opening one may take seconds. */
  readonly longestMs: number
}

/** Opens them all at once, and settles when the last one is closed by the other side. */
export async function holdOpen({ url, from, connections, bytes }: Slow): Promise<Ended> {
  const open = await Promise.all(Array.from({ length: connections }, () => one()))
  return { closed: connections, longestMs: Math.max(...open) }

  function one(): Promise<number> {
    return new Promise(resolve => {
      const socket = connect({ host: url.hostname, port: Number(url.port), localAddress: from })
      let began = Number.NaN
      socket.once('connect', () => {
        began = performance.now()
        socket.write(bytes)
      })
      socket.on('data', () => {})
      socket.once('error', () => {})
      socket.once('close', () => resolve(performance.now() - began))
    })
  }
}
