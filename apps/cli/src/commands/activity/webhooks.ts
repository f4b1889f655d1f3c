/** `svc webhooks …`: the endpoints that what happens is sent to. What was sent: `webhook-deliveries.ts`. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failure.ts'
import { type KeyOptions, keyHeaders, withKey } from '../../idempotency-key.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { collect, parseDuration, parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { deliveryCommands } from './webhook-deliveries.ts'

export function webhookCommands(program: Command, cli: Cli): void {
  const webhooks = program
    .command('webhooks')
    .description('URLs that events are sent to; for owners and admins.')
  const about = (name: string, description: string) =>
    webhooks.command(name).description(description).argument('<id>', 'whe_…', parseId)
  withPages(webhooks.command('list').description('List webhook endpoints, without their secrets.')).action(
    options => list(cli, options),
  )
  withExamples(
    withKey(
      withFields(
        webhooks.command('create').description('Create one; its secret is shown only once.'),
        'requiredOption',
      ),
    ),
    "webhooks create --url https://hooks.example.com/svc --type 'orders.*' --type installs.created",
  ).action(options => create(cli, options))
  about('get', 'Show one.').action(id => get(cli, id))
  withExamples(
    withFields(about('update', 'Change its URL, types or description.')),
    "webhooks update whe_01h455vb4pex5vsknk084sn02q --type 'orders.*'",
  ).action((id, options) => update(cli, id, options))
  about('delete', 'Delete one, with what was to be sent to it.').action(id => remove(cli, id))
  withExamples(
    about('rotate', 'Create a new secret for one; it is shown only once.'),
    'webhooks rotate whe_01h455vb4pex5vsknk084sn02q --grace 1h',
  )
    .option(
      '--grace <duration>',
      'how long the old secret signs as well, up to 7d (default: a day)',
      parseDuration,
    )
    .action((id, options) => rotate(cli, id, options))
  about('pause', 'Send nothing to one until it is resumed; events are kept.').action(id => pause(cli, id))
  about('resume', 'Send to one again, beginning with what happened meanwhile.').action(id => resume(cli, id))
  deliveryCommands(webhooks, cli)
}

const withFields = (command: Command, option: 'option' | 'requiredOption' = 'option'): Command =>
  command[option]('--url <url>', 'where to, with https://')
    [option]('--type <type>', 'a type of events, or all of one noun as orders.*; may be repeated', collect)
    .option('--description <text>', 'for you')

interface Fields {
  readonly url?: string
  readonly type?: string[]
  readonly description?: string
}

interface Endpoint {
  readonly id: string
  readonly url: string
  readonly event_types: readonly string[]
  readonly description: string
  readonly state: string
  readonly disabled_reason: string | null
  readonly failing_since: number | null
  readonly last_delivered_at: number | null
  readonly previous_secret_expires_at: number | null
  readonly created_at: number
  readonly secret?: string
}

const columns: Column<Endpoint>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'url', value: ({ url }) => url, flexible: true },
  {
    name: 'state',
    value: ({ state }) => state,
    tone: state => (state === 'active' ? 'green' : state === 'disabled' ? 'red' : 'dim'),
  },
  { name: 'failing_since', value: ({ failing_since }) => timeText(failing_since), tone: redUnlessNone },
  { name: 'event_types', value: ({ event_types }) => event_types.join(' '), flexible: true },
]

const details: Column<Endpoint>[] = [
  ...columns,
  { name: 'description', value: ({ description }) => description },
  { name: 'disabled_reason', value: ({ disabled_reason }) => disabled_reason },
  { name: 'last_delivered_at', value: ({ last_delivered_at }) => timeText(last_delivered_at) },
  {
    name: 'previous_secret_expires_at',
    value: ({ previous_secret_expires_at }) => timeText(previous_secret_expires_at),
  },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

function redUnlessNone(text: string) {
  return text === '-' ? undefined : 'red'
}

function show(cli: Cli, endpoint: Endpoint): void {
  cli.print(endpoint, () => detailsText(cli.terminal, details, endpoint))
}

function showSecret(cli: Cli, endpoint: Endpoint): void {
  const secret: Column<Endpoint> = { name: 'secret', value: one => one.secret }
  cli.print(endpoint, () => detailsText(cli.terminal, [...details, secret], endpoint))
  if (!cli.options.json) cli.note('Copy the secret now: it won’t be shown again.')
}

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { client } = await cli.connect()
  await printList(cli, client.activity.list_webhook_endpoints, options, {
    things: 'webhook endpoints',
    columns,
  })
}

async function create(cli: Cli, fields: Fields & KeyOptions): Promise<void> {
  const { client } = await cli.connect()
  const { url = '', type = [], description } = fields
  const request = { headers: keyHeaders(cli, fields), body: { url, event_types: type, description } }
  const { body } = await cli.call('creating', options =>
    client.activity.create_webhook_endpoint(request, options),
  )
  showSecret(cli, body)
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('reading', options =>
    client.activity.get_webhook_endpoint(request, options),
  )
  show(cli, body)
}

async function update(cli: Cli, id: string, { url, type, description }: Fields): Promise<void> {
  if (url === undefined && !type && description === undefined)
    throw new UsageError('Give --url, --type or --description.')
  const { client } = await cli.connect()
  const request = { params: { id }, body: { url, event_types: type, description } }
  const { body } = await cli.call('updating', options =>
    client.activity.update_webhook_endpoint(request, options),
  )
  show(cli, body)
}

async function remove(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  await cli.call('deleting', options => client.activity.delete_webhook_endpoint(request, options))
  if (!cli.options.json) cli.note(`Deleted ${id}.`)
}

async function rotate(cli: Cli, id: string, { grace }: { grace?: number }): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: { expires_in: grace } }
  const { body } = await cli.call('rotating', options =>
    client.activity.rotate_webhook_secret(request, options),
  )
  showSecret(cli, body)
}

async function pause(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('pausing', options =>
    client.activity.pause_webhook_endpoint(request, options),
  )
  show(cli, body)
}

async function resume(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('resuming', options =>
    client.activity.resume_webhook_endpoint(request, options),
  )
  show(cli, body)
}
