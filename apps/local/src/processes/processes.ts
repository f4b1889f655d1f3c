import { scaled } from '@svc/contract/core/deadline-scale'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeExit, type Exit, type OwnProcess, spawnOwnProcess } from './own-process.ts'
import { repoRoot } from '../repo-root.ts'
import { waitUntil } from '../wait-until.ts'

export type SuperviseOptions = {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  /** A URL that answers 200 when the process is ready, or a function that checks it. */
  ready: string | (() => Promise<boolean>)
  onLine?: (line: string) => void
  restart: boolean
  /** See `OwnProcessOptions`. */
  through?: readonly string[]
}

export type Supervised = {
  readonly name: string
  readonly pid: number | undefined
  running(): boolean
  /**
   * Starts it, unless it is running, and waits until it is ready.
   *
   * @throws Error if it does not become ready
   */
  start(timeoutMs?: number): Promise<void>
  /**
   * Waits until it is ready.
   *
   * @throws Error if it ends, or keeps ending, before that
   */
  untilReady(timeoutMs?: number, signal?: AbortSignal): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** SIGTERM, up to `graceMs` (15 s) to finish, then SIGKILL. Undefined if nothing ran. */
  stop(graceMs?: number): Promise<Exit | undefined>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const HEALTHY_AFTER_MS = 10_000
const HOPELESS_AFTER = 3

const nodeFlags = () => readFileSync(join(repoRoot, 'deploy/node-flags'), 'utf8').trim().split(' ')

/**
 * Runs a Node.js program in its own process group and, with `restart`, restarts it when it crashes: after 100 ms,
 * doubling to 5 s, and from 100 ms again once it has stayed up for 10 s.
 */
export async function superviseProcess(options: SuperviseOptions): Promise<Supervised> {
  const { name, script, env, ready, restart, through, onLine = () => {} } = options
  let child: OwnProcess | undefined
  let wanted = true
  let pauseMs = FIRST_PAUSE_MS
  let crashesInARow = 0
  let lastCrash = ''
  let pause = new AbortController()

  const launch = async () => {
    const startedAt = Date.now()
    const started = await spawnOwnProcess(process.execPath, [...nodeFlags(), script], {
      cwd: repoRoot,
      env,
      through,
      onLine: line => onLine(`${name} | ${line}`),
    })
    child = started
    started.exited.then(exit => ended(started, exit, Date.now() - startedAt))
    // stop() may have been called while the process was being started.
    if (!wanted) await started.stop(['SIGTERM', scaled(15_000)])
  }

  const ended = async (process: OwnProcess, exit: Exit, upMs: number) => {
    if (!wanted || child !== process) return
    if (upMs >= HEALTHY_AFTER_MS) {
      pauseMs = FIRST_PAUSE_MS
      crashesInARow = 0
    }
    crashesInARow++
    lastCrash = [describeExit(exit), ...lastErrors(process.tail())].join(' | ')
    onLine(`${name} crashed: ${restart ? `${lastCrash} | starting it again in ${pauseMs} ms` : lastCrash}`)
    if (!restart) return
    pause = new AbortController()
    try {
      const thisPause = pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      await delay(thisPause, undefined, { signal: pause.signal })
      if (wanted && child === process) await launch()
    } catch (error) {
      if (wanted) onLine(`${name} cannot be started: ${error instanceof Error ? error.message : error}`)
    }
  }

  const isReady = async () => {
    if (!child?.running()) return false
    if (typeof ready === 'function') return ready()
    const answer = await fetch(ready, { signal: AbortSignal.timeout(scaled(2_000)) })
    await answer.arrayBuffer()
    return answer.status === 200
  }

  const untilReady = (timeoutMs = scaled(60_000), signal?: AbortSignal) =>
    waitUntil(
      `${name} is ready`,
      async giveUp => {
        const hopeless = restart ? crashesInARow >= HOPELESS_AFTER : crashesInARow > 0 && !child?.running()
        if (hopeless) giveUp(new Error(`${name} does not start: ${lastCrash}`))
        return !hopeless && (await isReady())
      },
      { timeoutMs, everyMs: 50, signal },
    )

  await launch()
  return {
    name,
    get pid() {
      return child?.running() ? child.pid : undefined
    },
    running: () => child?.running() ?? false,
    untilReady,
    async start(timeoutMs) {
      wanted = true
      crashesInARow = 0
      pauseMs = FIRST_PAUSE_MS
      pause.abort()
      if (!child?.running()) await launch()
      await untilReady(timeoutMs)
    },
    kill: signal => child?.signal(signal),
    async stop(graceMs = scaled(15_000)) {
      wanted = false
      pause.abort()
      if (!child?.running()) return undefined
      return child.stop(['SIGTERM', graceMs])
    },
  }
}

/** The useful part of its last output: the error, if there is one, otherwise the last lines. */
function lastErrors(tail: string[]): string[] {
  const relevant = tail
    .map(line => line.trim())
    .filter(line => line && !/^(at |Node\.js v|[{}\]]+$)/.test(line))
  const named = relevant.findLast(line => /\b\w*Error: |"level":(50|60)\b/.test(line))
  return (named ? [named] : relevant.slice(-3)).map(line =>
    line.length > 400 ? `${line.slice(0, 400)}…` : line,
  )
}
