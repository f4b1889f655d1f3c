import type { CallOptions, Result } from '@svc/client'
import { jsonToShow } from '@svc/contract/core/invisible'
import { type Connection, connect } from './connect.ts'
import { UsageError } from './failure.ts'
import { withProgress } from './terminal/progress.ts'
import { type CommandLine, limitsOf, type Surroundings } from './surroundings.ts'
import { createTerminal, type Terminal } from './terminal/terminal.ts'

export interface Cli extends CommandLine {
  readonly terminal: Terminal
  connect(): Promise<Connection>
  /** One call, with progress if it takes long. Resolves to the whole answer. */
  call<T>(label: string, send: (options: CallOptions) => Promise<Result<T>>): Promise<Result<T>>
  /** Whether a person has done what a refused call asked for: it is sent again. */
  settle?: (error: unknown) => Promise<boolean>
  print<T>(body: T, toText: (body: T) => string): void
  note(line: string): void
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
      const attempt = () => withProgress(this, label, send({ signal, ...limitsOf(this.options) }))
      return attempt().catch(async error => {
        if (!(await this.settle?.(error))) throw error
        return attempt()
      })
    },
    print(body, toText) {
      stdout.write(this.options.json ? `${jsonToShow(body, 2)}\n` : toText(body))
    },
    note(line) {
      stderr.write(`${line}\n`)
    },
    get asks() {
      return stdin.isTTY && stderr.isTTY && !this.options.json && !terminal.dumb
    },
  }
}

/** @throws UsageError if nobody can be asked, naming the option to use instead */
export function requireAnswer(cli: Cli, instead: string): void {
  if (!cli.asks) throw new UsageError(instead)
}
