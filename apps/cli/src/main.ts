import { createCli } from './cli.ts'
import { exitCodes, Interrupted, reportFailure } from './failure.ts'
import { run } from './run.ts'
import { assumeSize } from './terminal/terminal.ts'

assumeSize(process.stdout)
assumeSize(process.stderr)
const ended = new AbortController()
const cli = createCli({
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: ended.signal,
})

for (const [signal, code] of [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
] as const) {
  process.on(signal, () => {
    // A second signal ends the process at once.
    if (ended.signal.aborted) process.exit(code)
    ended.abort(new Interrupted(code))
  })
}
for (const stream of [process.stdout, process.stderr]) {
  // As in `svc offers list | head -1`: the reader has what it wanted.
  stream.on('error', () => process.exit(exitCodes.brokenPipe))
}
const fail = (error: unknown) => process.exit(reportFailure(cli, error))
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

run(cli, process.argv.slice(2)).then(async code => {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  // Not left to Node.js: standard input may still be open, with nobody to type.
  process.exit(code)
}, fail)

const flushed = (stream: NodeJS.WriteStream) => new Promise(resolve => stream.write('', resolve))
