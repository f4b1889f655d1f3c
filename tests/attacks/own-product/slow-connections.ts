/** Connections that send the beginning of a request and then wait. */
import { once } from 'node:events'
import { connect } from 'node:net'

interface Slow {
  readonly url: URL
  /** The attacker's address. */
  readonly from: string
  readonly connections: number
  /** What they send, in turn. */
  readonly requests: readonly Buffer[]
}

/** Opens them all at once, and resolves when they are open. `closed`: when the other side has closed the last one. */
export async function holdOpen({
  url,
  from,
  connections,
  requests,
}: Slow): Promise<{ closed: Promise<unknown> }> {
  const closed: Promise<void>[] = []
  const open = Array.from({ length: connections }, async (_, at) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), localAddress: from })
    socket.on('data', () => {})
    socket.on('error', () => {})
    closed.push(new Promise(resolve => socket.once('close', () => resolve())))
    await once(socket, 'connect')
    socket.write(requests[at % requests.length] ?? '')
  })
  await Promise.all(open)
  return { closed: Promise.all(closed) }
}

/** As `holdOpen`, but opens as many again when they are closed. `closed`: when those are as well. */
export async function comeAgain(slow: Slow): Promise<{ closed: Promise<unknown> }> {
  const first = await holdOpen(slow)
  return { closed: first.closed.then(async () => (await holdOpen(slow)).closed) }
}
