/** A part of the measurement in a process of its own, so that its CPU is counted separately. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface Said {
  readonly is: string
  readonly value?: unknown
}

export interface Child {
  readonly pid: number
  /** Has the process do something; resolves with what came of it. One call of each name at a time. */
  ask<T>(name: string, value?: unknown): Promise<T>
  /** Rejects when the process reports a failure or ends. */
  readonly failure: Promise<never>
  close(): void
}

const patienceMs = 30_000

/** @param script in `dist/load` */
export async function startChild(script: string): Promise<Child> {
  // From `src/` (tests) and from `dist/` alike.
  const path = fileURLToPath(new URL(`../../dist/load/${script}.js`, import.meta.url))
  // In its own process group: a terminal's Ctrl-C is for the controlling process.
  const child = fork(path, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<string, (value: unknown) => void>()
  const failure = new Promise<never>((_, fail) => {
    child.on('message', ({ is, value }: Said) => {
      if (is === 'failed') fail(new Error(String(value)))
      waiting.get(is)?.(value)
      waiting.delete(is)
    })
    child.once('error', fail)
    child.once('exit', (code, signal) => fail(new Error(`${script} ended (${signal ?? code}).`)))
  })
  failure.catch(() => {})
  const next = <T>(name: string): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const answered = new Promise<unknown>((resolve, reject) => {
      waiting.set(name, resolve)
      timer = setTimeout(
        () => reject(new Error(`Of ${script}, "${name}" took more than ${patienceMs / 1000} s.`)),
        patienceMs,
      )
    })
    return Promise.race([answered, failure]).finally(() => clearTimeout(timer)) as Promise<T>
  }
  await next('ready')
  return {
    pid: child.pid as number,
    failure,
    ask(name, value) {
      if (child.connected) child.send({ is: name, value } satisfies Said)
      return next(name)
    },
    close() {
      if (child.connected) child.disconnect()
    },
  }
}

const say = (said: Said) => process.send?.(said)

export const reportFailure = (error: Error) => void say({ is: 'failed', value: error.message })

/** In the child: answers what is asked, by name, until the parent lets go. */
export function serveParent(answers: Readonly<Record<string, (value: never) => unknown>>) {
  process.on('message', async ({ is, value }: Said) => {
    try {
      say({ is, value: await answers[is]?.(value as never) })
    } catch (error) {
      reportFailure(error as Error)
    }
  })
  process.on('disconnect', () => process.exit(0))
  process.on('uncaughtException', reportFailure)
  say({ is: 'ready' })
}
