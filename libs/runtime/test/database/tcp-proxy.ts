/** A TCP proxy to a server, which can be held up, cut and lost. */
import { type Socket, connect, createServer } from 'node:net'
import { freePort } from '@svc/local/free-port'

export interface TcpProxy {
  /** The server's URL, through this proxy. */
  readonly url: string
  /** Holds up every byte of every connection, present and future, until `release`. */
  hold(): void
  release(): void
  /** Current connections never receive anything again; later ones are not affected. */
  forget(): void
  /** Accepts and closes at once, like a load balancer whose server is gone. */
  refuse(refused: boolean): void
  /** Cuts the next connections after that many chunks from the server, gracefully or not. */
  cutAfter(chunks: number | undefined, how: 'FIN' | 'RST'): void
  /** Ends the current connections. */
  cut(): void
  /** Connections accepted so far. */
  readonly accepted: number
  /** Connections that are open now. */
  readonly connected: number
  close(): Promise<void>
}

export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl)
  const pairs = new Set<Pair>()
  let held = false
  let refused = false
  let accepted = 0
  let connected = 0
  let cutting: { chunks: number; how: 'FIN' | 'RST' } | undefined
  const server = createServer(client => {
    accepted++
    connected++
    client.on('close', () => connected--)
    client.on('error', () => {})
    if (refused) return void client.resume().end()
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => {})
    const pair: Pair = { client, upstream, waiting: [], chunks: 0, forgotten: false }
    pairs.add(pair)
    const forward = (to: Socket) => (chunk: Buffer) => {
      if (pair.forgotten) return
      if (to === client && cutting && ++pair.chunks > cutting.chunks) {
        upstream.destroy()
        return void (cutting.how === 'RST' ? client.resetAndDestroy() : client.end())
      }
      if (held) pair.waiting.push(() => to.write(chunk))
      else to.write(chunk)
    }
    client.on('data', forward(upstream))
    upstream.on('data', forward(client))
    client.on('close', () => (pair.forgotten ? undefined : upstream.destroy()))
    upstream.on('close', () => {
      pairs.delete(pair)
      if (!pair.forgotten) client.end()
    })
  })
  const port = await freePort()
  await new Promise<void>(listening => server.listen(port, '127.0.0.1', listening))
  const cut = () => {
    for (const { client, upstream } of pairs) {
      client.destroy()
      upstream.destroy()
    }
  }
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    get accepted() {
      return accepted
    },
    get connected() {
      return connected
    },
    hold() {
      held = true
    },
    release() {
      held = false
      for (const { waiting } of pairs) for (const send of waiting.splice(0)) send()
    },
    forget() {
      for (const pair of pairs) pair.forgotten = true
    },
    refuse(now) {
      refused = now
    },
    cutAfter(chunks, how) {
      cutting = chunks === undefined ? undefined : { chunks, how }
    },
    cut,
    async close() {
      cut()
      await new Promise(closed => server.close(closed))
    },
  }
}

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
  readonly waiting: (() => void)[]
  chunks: number
  forgotten: boolean
}
