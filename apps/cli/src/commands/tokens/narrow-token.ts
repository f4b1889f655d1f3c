import { services } from '@svc/contract/services'
import type { Permission } from '@svc/contract/core/permissions'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAnswer } from '../../derived/show-output.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { parseId } from '../../parse-values.ts'
import { withExamples } from '../../with-examples.ts'

export const narrowTokenCommand = (tokens: Command, cli: Cli): Command =>
  withExamples(
    tokens.command('narrow').description('Take from an API token what it does not use.'),
    'tokens narrow tok_01h455vb4pex5vsknk084sn02q --to-used --dry-run',
    'tokens narrow tok_01h455vb4pex5vsknk084sn02q --to-used',
  )
    .argument('<id>', 'tok_…', parseId)
    .requiredOption('--to-used', 'keep only the permissions that it used in the last 30 days')
    .option('--dry-run', 'only show what it would keep and lose')
    .action((id, { dryRun = false }) => narrow(cli, id, dryRun))

async function narrow(cli: Cli, id: string, isDry: boolean): Promise<void> {
  const { client } = await cli.connect()
  const params = { id }
  const { get_api_token, update_api_token } = client['auth-tokens']
  const { body: token } = await cli.call('reading', options => get_api_token({ params }, options))
  const { used_permissions: kept, unused_permissions: lost = [] } = token
  if (!kept) throw new Failure(exitCodes.notSignedIn, 'Only owners and admins see what a token uses.')
  if (kept.length === 0) {
    throw new Failure(exitCodes.conflict, `${id} was not used in the last 30 days: it stays as it is.`)
  }
  if (isDry) {
    return cli.print({ kept, lost }, () => `keeps  ${kept.join(' ')}\nloses  ${lost.join(' ') || '-'}\n`)
  }
  const body = { permissions: kept as Permission[] }
  const answer = await cli.call('narrowing', options => update_api_token({ params, body }, options))
  showAnswer(cli, services['auth-tokens'].operations.update_api_token, answer.body)
}
