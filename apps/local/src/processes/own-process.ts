import { type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { stopWithParent } from './stop-with-parent.ts'

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type OwnProcess = {
  pid: number
  /** Resolves, never rejects, once the process has ended and its last output was read. */
  exited: Promise<Exit>
  running(): boolean
  tail(): string[]
  signal(signal: NodeJS.Signals): void
  /** Sends the signals one after another, waiting up to the given ms after each, then SIGKILL. Waits for the end. */
  stop(...escalation: [signal: NodeJS.Signals, patienceMs: number][]): Promise<Exit>
}

export type OwnProcessOptions = Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> & {
  onLine?: (line: string) => void
  lastWill?: 'INT' | 'TERM'
  /** A command prefix that runs it as the same process on another host: `ip netns exec <name>`. */
  through?: readonly string[]
}

const TAIL_LINES = 30

/**
 * Starts a child in its own process group: Ctrl-C in a terminal reaches every process of the foreground group at once,
 * and only the parent knows the order in which its children have to stop.
 */
export async function spawnOwnProcess(
  command: string,
  args: string[],
  { onLine, lastWill = 'TERM', through, ...options }: OwnProcessOptions = {},
): Promise<OwnProcess> {
  const [program = command, ...words] = wordsOf(through, options, [command, ...args])
  const child = spawn(program, words, {
    ...options,
    ...(through && { uid: undefined, gid: undefined }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const keep = (stream: Readable) =>
    createInterface({ input: stream }).on('line', line => {
      lines.push(line)
      if (lines.length > TAIL_LINES) lines.shift()
      onLine?.(line)
    })
  keep(child.stdout)
  keep(child.stderr)

  let exit: Exit | undefined
  const exited = new Promise<Exit>(resolve => {
    const closed = new Promise(done => child.once('close', done))
    child.once('exit', async (code, signal) => {
      exit = { code, signal }
      // `close` comes after the last output, but not while a grandchild still holds the pipe.
      await Promise.race([closed, delay(250, undefined, { ref: false })])
      resolve(exit)
    })
  })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.on('error', () => {})
  const pid = child.pid as number
  const dismissWatch = stopWithParent(pid, lastWill)
  child.once('exit', dismissWatch)

  const signal = (name: NodeJS.Signals) => {
    if (exit) return
    try {
      process.kill(pid, name)
    } catch {
      // It has ended in the meantime.
    }
  }
  return {
    pid,
    exited,
    running: () => exit === undefined,
    tail: () => [...lines],
    signal,
    async stop(...escalation) {
      for (const [name, patienceMs] of escalation) {
        signal(name)
        const patience = new AbortController()
        const ended = await Promise.race([
          exited.then(() => true),
          delay(patienceMs, false, { signal: patience.signal }).catch(() => false),
        ])
        patience.abort()
        if (ended) return exited
      }
      signal('SIGKILL')
      return exited
    },
  }
}

function wordsOf(
  through: readonly string[] | undefined,
  { uid, gid }: Pick<OwnProcessOptions, 'uid' | 'gid'>,
  command: string[],
): string[] {
  if (!through) return command
  // Only root may move to another host, so the user changes afterwards.
  const as = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--']
  return [...through, ...as, ...command]
}

export function describeExit({ code, signal }: Exit): string {
  return signal ? `signal ${signal}` : `exit code ${code}`
}
