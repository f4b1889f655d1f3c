/** Starts the receiver of webhooks and asks it what arrived. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Where it does not answer, and where it sends interim answers without end. */
export const paths = { silent: '/silent', endless: '/endless' }

/** What arrived since the previous mark. */
export interface Arrived {
  readonly ms: number
  readonly deliveries: number
  /** From the change to the arrival of its event. */
  readonly p50_ms: number
  readonly p99_ms: number
}
export type ReceiverSays = { is: 'ready'; port: number } | { is: 'mark'; arrived: Arrived }

export interface Receiver {
  readonly pid: number
  readonly url: string
  /** What arrived since the previous mark. */
  mark(): Promise<Arrived>
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  // From `src/` (tests) and from `dist/` alike.
  const script = fileURLToPath(new URL('../../dist/load/receiver-process.js', import.meta.url))
  // In its own process group: a terminal's Ctrl-C is for the controlling process.
  const child = fork(script, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The receiver of webhooks ended.')))
  ended.catch(() => {})
  const next = async () => {
    const [said] = (await Promise.race([once(child, 'message'), ended])) as [ReceiverSays]
    return said
  }
  const ready = await next()
  if (ready.is !== 'ready') throw new Error('The receiver of webhooks did not start.')
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${ready.port}`,
    async mark() {
      const marked = next()
      child.send('mark')
      const said = await marked
      if (said.is !== 'mark') throw new Error('The receiver of webhooks gave no mark.')
      return said.arrived
    },
    close() {
      if (child.connected) child.disconnect()
    },
  }
}
