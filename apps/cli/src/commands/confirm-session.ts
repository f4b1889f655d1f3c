import { codes } from '@svc/contract/core/error-codes'
import { ApiResponseError } from '@svc/client'
import type { Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../cli.ts'
import { exitCodes, Failure } from '../failure.ts'
import { ownSession } from '../sign-in/own-session.ts'
import { limitsOf } from '../surroundings.ts'
import { printable } from '../terminal/printable.ts'
import { withProgress } from '../terminal/progress.ts'
import { openOnEnter, remaining } from './login.ts'

export const confirmCommand = (program: Command, cli: Cli): Command =>
  program
    .command('confirm')
    .description('Confirm who you are in a browser, for what asks for it.')
    .action(async () => {
      await confirmSession(cli)
      if (!cli.options.json) cli.note('Confirmed, for ten minutes.')
    })

/** Resolves to whether the call was refused for this, and the person has confirmed. */
export async function confirmIfAsked(cli: Cli, error: unknown): Promise<boolean> {
  const isAsked = error instanceof ApiResponseError && error.errors[0]?.code === codes.step_up_required[0]
  if (!isAsked || !cli.asks) return false
  await confirmSession(cli)
  return true
}

async function confirmSession(cli: Cli): Promise<void> {
  const { unscoped } = await cli.connect()
  const calls = { signal: cli.signal, ...limitsOf(cli.options) }
  const authTime = async () => (await ownSession(unscoped, send => send(calls))).session?.auth_time ?? 0
  const { body } = await unscoped['auth-tokens'].request_confirmation({}, calls)
  const before = await authTime()
  const { user_code, verification_uri, expires_in, interval } = body
  const { style } = cli.terminal
  if (cli.options.json) cli.stdout.write(`${JSON.stringify(body)}\n`)
  else {
    cli.note('Confirm that it is you. Open')
    cli.note(`  ${style('cyan', printable(verification_uri))}`)
    cli.note(`which shows the code ${style('bold', printable(user_code))}`)
  }
  const stopListening = openOnEnter(cli, verification_uri)
  await withProgress(cli, remaining(body), confirmed()).finally(stopListening)

  async function confirmed(): Promise<void> {
    const endsAt = Date.now() + expires_in * 1000
    while (Date.now() < endsAt) {
      await sleep(interval * 1000, undefined, { signal: cli.signal }).catch(() => cli.signal.throwIfAborted())
      if ((await authTime()) > before) return
    }
    throw new Failure(exitCodes.unavailable, 'The code expired before it was confirmed. Run svc confirm.')
  }
}
