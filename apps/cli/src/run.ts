import { CommanderError } from 'commander'
import type { Cli } from './cli.ts'
import { completeWords } from './complete-words.ts'
import { exitCodes, localFailure, reportFailure } from './failure.ts'
import { createProgram } from './program.ts'

export async function run(cli: Cli, args: readonly string[]): Promise<number> {
  const program = createProgram(cli)
  const [first, ...words] = args
  if (first === '__complete') {
    cli.stdout.write(completeWords(program, words))
    return exitCodes.ok
  }
  // commander knows the options once the whole line is parsed, which may fail.
  cli.options = { json: wantsJson(args) }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(cli, error)
    if (error.exitCode === 0) return exitCodes.ok
    // commander has already printed the error for people, or the help.
    if (cli.options.json) cli.stdout.write(localFailure(exitCodes.usage, messageOf(error)))
    return exitCodes.usage
  }
}

/** As commander reads it: at any position, but not after `--`. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).includes('--json')
}

const messageOf = ({ code, message }: CommanderError): string[] =>
  code === 'commander.help' ? ['No command is given.'] : message.replace(/^error: /, '').split('\n')
