import { CommanderError } from 'commander'
import type { Cli } from './cli.ts'
import { completeWords } from './complete-words.ts'
import { exitCodes, reportFailure } from './failure.ts'
import { createProgram } from './program.ts'

/** Runs one command line. Resolves to the status to exit with; errors go to standard error. */
export async function run(cli: Cli, args: readonly string[]): Promise<number> {
  const program = createProgram(cli)
  const [first, ...words] = args
  if (first === '__complete') {
    cli.stdout.write(completeWords(program, words))
    return exitCodes.ok
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(cli, error)
    // commander has already printed the error.
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
}
