/** Starts the load generator's process and controls it. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Acknowledged, LoadOrder, Mark } from './load.ts'
import type { Answer, Command } from './load-process.ts'

export interface LoadGenerator {
  readonly pid: number
  start(order: LoadOrder): Promise<void>
  /** What was answered since the previous mark. */
  mark(): Promise<Mark>
  /** Sends nothing more; resolves when all that was sent is answered. */
  stop(): Promise<Acknowledged>
  /** Rejects when the load fails: an unsuccessful answer, a lost connection, the end of the process. */
  readonly failure: Promise<never>
  close(): void
}

/** How long to wait for the last answers. */
const patienceMs = 30_000

export async function startLoadGenerator(): Promise<LoadGenerator> {
  // From `src/` (tests) and from `dist/` alike.
  const script = fileURLToPath(new URL('../../dist/load/load-process.js', import.meta.url))
  // In its own process group: a terminal's Ctrl-C is for the controlling process.
  const child = fork(script, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let fail: (error: Error) => void = () => {}
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })
  failure.catch(() => {})
  const waiting = new Map<Answer['is'], (answer: Answer) => void>()
  child.on('message', (answer: Answer) => {
    if (answer.is === 'failed') return fail(new Error(answer.message))
    waiting.get(answer.is)?.(answer)
    waiting.delete(answer.is)
  })
  child.once('error', fail)
  child.once('exit', (code, signal) => fail(new Error(`The load generator ended (${signal ?? code}).`)))

  const next = <Is extends Answer['is']>(is: Is): Promise<Extract<Answer, { is: Is }>> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`Requests were not answered within ${patienceMs / 1000} s.`))
      }, patienceMs)
    })
    const answered = new Promise<Answer>(resolve => waiting.set(is, resolve))
    return Promise.race([answered, failure, late]).finally(() => clearTimeout(timer)) as never
  }
  const send = (command: Command) => {
    if (child.connected) child.send(command)
  }

  await next('ready')
  return {
    pid: child.pid as number,
    failure,
    async start(order) {
      const started = next('started')
      send({ do: 'start', order })
      await started
    },
    async mark() {
      const marked = next('mark')
      send({ do: 'mark' })
      return (await marked).mark
    },
    async stop() {
      const stopped = next('stopped')
      send({ do: 'stop' })
      return (await stopped).acknowledged
    },
    close() {
      child.removeAllListeners('exit')
      if (child.connected) child.disconnect()
    },
  }
}
