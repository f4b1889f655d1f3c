/** `svc` in the test's process, with pipes or a screen, for everything that is not about the process itself. */
import { PassThrough } from 'node:stream'
import { createCli } from '../src/cli.ts'
import { exitCodes, Interrupted } from '../src/failure.ts'
import { run } from '../src/run.ts'
import type { Surroundings } from '../src/surroundings.ts'
import { createScreen, type Ended, type Env, keys, type Seen, type TerminalOptions } from './svc-process.ts'

export interface Running {
  out(): string
  err(): string
  readonly ended: Promise<Ended>
}

export function start(
  args: readonly string[],
  env: Env = {},
  input = '',
  signal = new AbortController().signal,
): Running {
  const written = { out: '', err: '' }
  const sink = (name: keyof typeof written) =>
    new PassThrough().setEncoding('utf8').on('data', (chunk: string) => {
      written[name] += chunk
    })
  const streams = { stdin: new PassThrough().end(input), stdout: sink('out'), stderr: sink('err') }
  const cli = createCli({
    ...(streams as unknown as Pick<Surroundings, 'stdin' | 'stdout' | 'stderr'>),
    // As in a process without the environment of whoever runs the tests.
    env: { HOME: '/nonexistent', ...env },
    signal,
  })
  const ended = run(cli, args).then(async code => {
    await Promise.all([streams.stdout, streams.stderr].map(read))
    return { code, ...written }
  })
  return { out: () => written.out, err: () => written.err, ended }
}

const read = (stream: PassThrough) => new Promise(resolve => stream.once('end', resolve).end())

export const svc = (args: readonly string[], env: Env = {}, input?: string): Promise<Ended> =>
  start(args, env, input).ended

/** With streams that claim to be a terminal of that size. Ctrl-C interrupts as it does in a process, except at a question. */
export function onScreen(
  args: readonly string[],
  env: Env = {},
  { columns = 80, rows = 40 }: TerminalOptions = {},
): Seen {
  const screen = createScreen(columns, rows)
  const stream = () => {
    const size = { isTTY: true, columns, rows }
    const one = Object.assign(new PassThrough(), size).setEncoding('utf8')
    // As a real terminal does with line ends.
    return one.on('data', (text: string) => screen.write(text.replaceAll('\n', '\r\n')))
  }
  let isRaw = false
  const setRawMode = (raw: boolean) => {
    isRaw = raw
  }
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  const streams = { stdin, stdout: stream(), stderr: stream() }
  const ending = new AbortController()
  const cli = createCli({
    ...(streams as unknown as Pick<Surroundings, 'stdin' | 'stdout' | 'stderr'>),
    env: { HOME: '/nonexistent', TERM: 'xterm-256color', ...env },
    signal: ending.signal,
  })
  const ended = run(cli, args).then(async code => {
    await Promise.all([streams.stdout, streams.stderr].map(read))
    await screen.drawn()
    return code
  })
  return {
    ...screen.shown,
    ended,
    type(text) {
      if (text === keys.interrupt && !isRaw) ending.abort(new Interrupted(exitCodes.interrupted))
      else stdin.write(text)
    },
  }
}
