/** What commands are given: streams, environment, the options that all of them take, and ways to call and to print. */
import type { CallOptions, Result } from '@svc/client'
import { type Connection, connect } from './connect.ts'
import { UsageError } from './failure.ts'
import { withProgress } from './progress.ts'
import { createTerminal, type Terminal } from './terminal.ts'

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Aborted when the person or the system wants an end. */
  readonly signal: AbortSignal
}

export interface GlobalOptions {
  readonly json?: boolean
  readonly baseUrl?: string
  readonly workspace?: string
  /** Milliseconds for one call with its repetitions. */
  readonly timeout?: number
}

export interface Cli extends Surroundings {
  readonly terminal: Terminal
  /** Of this command line; known once it is parsed. */
  options: GlobalOptions
  /** Where it calls; known once it has been looked for. */
  baseUrl?: string
  /** Never printed, wherever they turn up. */
  readonly secrets: Set<string>
  /** Base URL, credential and workspace, and a client with them. */
  connect(): Promise<Connection>
  /** One call, with progress where it takes long. Resolves to the whole answer. */
  call<T>(label: string, send: (options: CallOptions) => Promise<Result<T>>): Promise<Result<T>>
  /** The answer's body as JSON where that is asked for, else what `toText` makes of it. */
  print<T>(body: T, toText: (body: T) => string): void
  /** A line for the person, beside the output. */
  note(line: string): void
  /** Whether somebody is there to answer a question. */
  readonly asks: boolean
}

export function createCli(surroundings: Surroundings): Cli {
  const { stdin, stdout, stderr, signal } = surroundings
  const terminal = createTerminal(surroundings)
  return {
    ...surroundings,
    terminal,
    options: {},
    secrets: new Set(),
    connect() {
      return connect(this)
    },
    call(label, send) {
      const { timeout } = this.options
      const limits = timeout !== undefined && { timeoutMs: timeout, attemptTimeoutMs: timeout }
      return withProgress(this, label, send({ signal, ...limits }))
    },
    print(body, toText) {
      stdout.write(this.options.json ? `${JSON.stringify(body, null, 2)}\n` : toText(body))
    },
    note(line) {
      stderr.write(`${line}\n`)
    },
    get asks() {
      return stdin.isTTY && stderr.isTTY && !this.options.json && !terminal.dumb
    },
  }
}

/** @throws UsageError where nobody can be asked, with what to give instead */
export function requireAnswer(cli: Cli, instead: string): void {
  if (!cli.asks) throw new UsageError(instead)
}
