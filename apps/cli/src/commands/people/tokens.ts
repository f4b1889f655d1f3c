/** `svc tokens create|list|revoke|rotate`: workspace API tokens. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type KeyOptions, keyHeaders, withKey } from '../../idempotency-key.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseDuration, parseId, parseTime, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function tokenCommands(program: Command, cli: Cli): void {
  const tokens = program.command('tokens').description('API tokens of the workspace, for CI and scripts.')
  withKey(
    withExamples(
      tokens.command('create').description('Create one; its secret is shown only once.'),
      'tokens create --name ci --expires-at 90d',
      'tokens create --name deploy --expires-at 2999-12-31 --json',
      'tokens create --name laptop --ends-with-creator',
    ),
  )
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'Unix seconds, ISO 8601, or 30d from now (default: never)', parseTime)
    .option('--ends-with-creator', 'revoke it when you leave the workspace or are removed')
    .action(options => create(cli, options))
  withPages(tokens.command('list').description('List API tokens, without their secrets.'))
    .option('--ends-before <time>', 'only those that end before it, such as 7d from now', parseTime)
    .option('--unused-since <time>', 'only those made before it and not used since', parseTime)
    .action(options => list(cli, options))
  tokens
    .command('revoke')
    .description('Revoke one; it is refused from then on.')
    .argument('<id>', 'tok_…', parseId)
    .action(id => revoke(cli, id))
  withExamples(
    tokens.command('rotate').description('Create a new secret for one; it is shown only once.'),
    'tokens rotate tok_01h455vb4pex5vsknk084sn02q --grace 1h',
  )
    .argument('<id>', 'tok_…', parseId)
    .option(
      '--grace <duration>',
      'how long the old secret stays valid, such as 1h (default: not at all)',
      parseDuration,
    )
    .action((id, options) => rotate(cli, id, options))
}

interface CreateOptions extends KeyOptions {
  readonly name: string
  readonly expiresAt?: number
  readonly endsWithCreator?: true
}

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  const { name, expiresAt, endsWithCreator } = options
  const { client } = await cli.connect()
  const request = {
    headers: keyHeaders(cli, options),
    body: { name, expires_at: expiresAt, ends_with_creator: endsWithCreator },
  }
  const { body } = await cli.call('creating', call => client['auth-tokens'].create_api_token(request, call))
  showSecret(cli, body)
}

async function rotate(cli: Cli, id: string, { grace }: { grace?: number }): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: { grace_seconds: grace } }
  const { body } = await cli.call('rotating', options =>
    client['auth-tokens'].rotate_api_token(request, options),
  )
  showSecret(cli, body)
}

async function revoke(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  await cli.call('revoking', options => client['auth-tokens'].revoke_api_token({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Revoked ${id}.`)
}

interface WithSecret {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly expires_at?: number
  readonly previous_expires_at?: number
}

function showSecret(cli: Cli, token: WithSecret): void {
  const columns: Column<WithSecret>[] = [
    { name: 'id', value: ({ id }) => id },
    { name: 'name', value: ({ name }) => name },
    { name: 'token', value: ({ token }) => token },
    { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
  ]
  if (token.previous_expires_at !== undefined) {
    columns.push({
      name: 'previous_expires_at',
      value: ({ previous_expires_at }) => timeText(previous_expires_at),
    })
  }
  cli.print(token, () => detailsText(cli.terminal, columns, token))
  if (!cli.options.json) cli.note('Copy the token now: it won’t be shown again.')
}

interface ListOptions extends PageOptions {
  readonly endsBefore?: number
  readonly unusedSince?: number
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { client } = await cli.connect()
  await printList(cli, client['auth-tokens'].list_api_tokens, options, {
    things: 'API tokens',
    query: { ends_before: asText(options.endsBefore), unused_since: asText(options.unusedSince) },
    columns: [
      { name: 'id', value: ({ id }) => id },
      { name: 'name', value: ({ name }) => name, flexible: true },
      { name: 'hint', value: ({ hint }) => `…${hint}` },
      { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
      { name: 'last_used_at', value: ({ last_used_at }) => timeText(last_used_at) },
      { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
      // Told to owners and admins; a creator who is gone stands out.
      { name: 'creator_email', value: ({ creator_email }) => creator_email, flexible: true },
      {
        name: 'creator_is_member',
        value: ({ creator_is_member }) => creator_is_member,
        tone: value => (value === 'false' ? 'yellow' : undefined),
      },
      { name: 'ends_with_creator', value: ({ ends_with_creator }) => ends_with_creator },
    ],
  })
}

const asText = (seconds: number | undefined) => (seconds === undefined ? undefined : `${seconds}`)
