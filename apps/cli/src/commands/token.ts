/** RFC 8693: a helper gets a token of ten minutes that may less than the one it comes from, and ends with it. */
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { collect } from '../parse-values.ts'
import { oauthRequest } from '../sign-in/oauth-request.ts'
import { withProgress } from '../terminal/progress.ts'
import { withExamples } from '../with-examples.ts'

const accessToken = 'urn:ietf:params:oauth:token-type:access_token'

export const tokenCommand = (program: Command, cli: Cli): Command =>
  withExamples(
    program
      .command('token')
      .description('Print a token of at most ten minutes, for a program that needs less than you may.'),
    'token --scope offers:read',
    'token --scope offers:read --scope orders:read',
  )
    .option('--scope <permission>', 'what it may do; may be repeated (default: all that you may)', collect)
    .action((options: { scope?: string[] }) => token(cli, options))

async function token(cli: Cli, { scope }: { scope?: string[] }): Promise<void> {
  const { baseUrl, token: subject_token } = await cli.connect()
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: accessToken,
    ...(scope && { scope: scope.join(' ') }),
  }
  const answer = await withProgress(
    cli,
    'exchanging',
    oauthRequest(baseUrl, '/oauth/token', form, cli.signal),
  )
  cli.print(answer, ({ access_token }) => `${access_token}\n`)
}
