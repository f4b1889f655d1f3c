/** `svc` as a real process, with pipes or in a pseudo-terminal whose screen can be read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { waitUntil } from '@svc/local/wait-until'
import { spawn as spawnInTerminal } from '@lydell/node-pty'
import xterm from '@xterm/headless'

export const program = join(repoRoot, 'apps/cli/bin/svc.mjs')

export type Env = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Only what a process needs from the environment of whoever runs the tests. */
const environment = (env: Env): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  ...env,
})

export interface Running {
  readonly child: ChildProcess
  out(): string
  err(): string
  readonly ended: Promise<Ended>
}

export function start(args: readonly string[], env: Env = {}, input?: string): Running {
  const child = spawn(process.execPath, [program, ...args], { env: environment(env) })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  // A process that does not read its input closes it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err }))
  })
  return { child, out: () => out, err: () => err, ended }
}

export const svcProcess = (args: readonly string[], env: Env = {}, input?: string): Promise<Ended> =>
  start(args, env, input).ended

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
}

export interface Seen {
  /** The lines on the screen and those that have left it at the top, without the empty ones at the end. */
  lines(): string[]
  /** Everything that was written, escapes and all. */
  raw(): string
  /** Resolves once the screen shows it. */
  shows(text: string | RegExp): Promise<void>
  /** Resolves to the exit status, once everything that was written is on the screen. */
  readonly ended: Promise<number>
  type(text: string): void
}

interface Terminal extends Seen {
  kill(): void
}

export const keys = {
  enter: '\r',
  interrupt: '\u0003',
  right: '\u001b[C',
  left: '\u001b[D',
  down: '\u001b[B',
}

/** Runs it in a pseudo-terminal. Typed text is handled like keyboard input, including signals. */
export const inTerminal = (args: readonly string[], env: Env = {}, options: TerminalOptions = {}): Terminal =>
  programInTerminal(process.execPath, [program, ...args], env, options)

/** The same for any program. */
export function programInTerminal(
  file: string,
  args: readonly string[],
  env: Env = {},
  { columns = 80, rows = 40 }: TerminalOptions = {},
): Terminal {
  const screen = createScreen(columns, rows)
  const process_ = spawnInTerminal(file, [...args], {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    env: environment(env),
  })
  process_.onData(screen.write)
  const ended = new Promise<number>(resolve => {
    process_.onExit(({ exitCode, signal }) =>
      screen.drawn().then(() => resolve(signal ? 128 + signal : exitCode)),
    )
  })
  return {
    ...screen.shown,
    type: text => process_.write(text),
    ended,
    kill: () => process_.kill('SIGKILL'),
  }
}

/** Shows what a terminal would. */
export function createScreen(columns: number, rows: number) {
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true })
  let raw = ''
  const lines = () => {
    const { buffer } = screen
    const all = Array.from({ length: buffer.active.length }, (_, at) =>
      (buffer.active.getLine(at)?.translateToString(true) ?? '').trimEnd(),
    )
    return all.slice(0, all.findLastIndex(line => line !== '') + 1)
  }
  const shows = (text: string | RegExp) =>
    waitUntil(`the screen shows ${text}`, () => {
      const shown = lines().join('\n')
      return typeof text === 'string' ? shown.includes(text) : text.test(shown)
    }).catch(error => {
      throw new Error(`${error.message}. It shows:\n${lines().join('\n')}`)
    })
  return {
    write(data: string) {
      raw += data
      screen.write(data)
    },
    /** Resolves once everything that was written is on the screen. */
    drawn: () => new Promise<void>(resolve => screen.write('', resolve)),
    shown: { lines, raw: () => raw, shows },
  }
}
