import * as prompts from '@clack/prompts'
import type { Operation } from '@svc/contract/core/operation'
import type { Command } from 'commander'
import { type Cli, requireAnswer } from './cli.ts'
import { exitCodes, Failure, Interrupted } from './failure.ts'

/** Sessions may be ended without a question: signing in again begins another one. */
export const isFinal = ({ http }: Operation): boolean =>
  http !== undefined &&
  (http.method === 'DELETE'
    ? !http.path.startsWith('/sessions')
    : /\/(revoke|remove|cancel|reject|decline)$/.test(http.path))

/** Asks before what cannot be undone. Where nobody can be asked, `--yes` is required. */
export function asksFirst(command: Command, cli: Cli): Command {
  return command
    .option('--yes', 'do not ask first; required in scripts')
    .hook('preAction', async (_, action) => {
      if (action.opts().yes) return
      const verb = action.name().replaceAll('-', ' ')
      const what = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${action.args.at(-1) ?? `the ${action.parent?.name()}`}`
      requireAnswer(cli, `${what}? It cannot be undone: give --yes.`)
      await confirm(cli, `${what}? It cannot be undone.`)
    })
}

/** @throws Failure if the answer is no */
export async function confirm(cli: Cli, message: string): Promise<void> {
  const answer = await prompts.confirm({
    message,
    initialValue: false,
    input: cli.stdin,
    output: cli.stderr,
    signal: cli.signal,
  })
  if (prompts.isCancel(answer)) throw new Interrupted()
  if (!answer) throw new Failure(exitCodes.conflict, 'Nothing was changed.')
}
