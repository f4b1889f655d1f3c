/** `npm run bench`: parses the command line, runs the command, and leaves nothing behind, however it ends. */
import { createCleanup } from './cleanup.ts'
import { coldStart } from './commands/cold-start.ts'
import type { Surroundings } from './commands/command.ts'
import { compare, targets } from './commands/compare.ts'
import { consolePages } from './commands/console.ts'
import { drift } from './commands/drift.ts'
import { fleet } from './commands/fleet.ts'
import { growth } from './commands/growth.ts'
import { limit } from './commands/limit.ts'
import { poolers } from './commands/poolers.ts'
import { profile } from './commands/profile.ts'
import { revocations } from './commands/revocations.ts'
import { scaling } from './commands/scaling.ts'
import { statements } from './commands/statements.ts'
import { webhooks } from './commands/webhooks.ts'
import { type Command, help, readOptions, UsageError } from './options.ts'

const commands: Record<Command, (surroundings: Surroundings) => Promise<void>> = {
  compare,
  drift,
  targets,
  poolers,
  limit,
  revocations,
  fleet,
  webhooks,
  console: consolePages,
  start: coldStart,
  growth,
  scaling,
  statements,
  profile,
}

// npm passes on a Ctrl-C that the terminal has already sent to every process: a signal within this time is the same
// one.
const sameCtrlCMs = 700

/** @returns the status to exit with */
export async function main(
  args: readonly string[],
  { preparePeers }: Pick<Surroundings, 'preparePeers'>,
): Promise<number> {
  const cleanup = createCleanup()
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const interrupted = onInterrupt(() => {
    say('Stopping …')
    return cleanup.run()
  })
  try {
    const options = readOptions(args)
    if (options.help) print(help)
    else await commands[options.command]({ options, cleanup, say, print, preparePeers })
    await cleanup.run()
    return 0
  } catch (error) {
    // A failure because everything is being stopped does not count.
    if (interrupted.yes) return interrupted.ended
    say(`\nbench: ${error instanceof Error ? error.message : error}`)
    if (error instanceof UsageError) say('\nnpm run bench -- --help')
    await cleanup.run()
    return error instanceof UsageError ? 2 : 1
  }
}

function onInterrupt(stop: () => Promise<void>) {
  const state = { yes: false, ended: Promise.resolve(130) }
  let askedAt = 0
  const stopWith = (status: number) => {
    state.yes = true
    askedAt = Date.now()
    state.ended = stop().then(() => status)
    state.ended.then(process.exit)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (!state.yes) stopWith(130)
    else if (signal === 'SIGINT' && Date.now() - askedAt > sameCtrlCMs) process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // Clients whose server is stopped under them reject promises that nothing awaits.
  process.on('uncaughtException', error => {
    if (state.yes) return
    process.stderr.write(`\nbench: ${error.stack}\n`)
    stopWith(1)
  })
  // A closed pipe (`npm run bench | head`) must not leave the servers behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return state
}
