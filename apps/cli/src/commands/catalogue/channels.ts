/** `svc channels …`: the offer channels of products. Their policies: `channel-policies.ts`. */
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failure.ts'
import { type KeyOptions, keyHeaders, noteReplay, withKey } from '../../idempotency-key.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId } from '../../parse-values.ts'
import { withExamples } from '../../with-examples.ts'
import { policyCommands } from './channel-policies.ts'
import { channelColumns as columns, showChannel } from './show-channel.ts'

const statuses = ['active', 'inactive'] as const
type Status = (typeof statuses)[number]

export function channelCommands(program: Command, cli: Cli): void {
  const channels = program
    .command('channels')
    .description('Offer channels, whose policies set the terms of a product’s offers.')
  const about = (name: string, description: string) =>
    channels.command(name).description(description).argument('<id>', 'och_…', parseId)
  const status = () =>
    new Option('--status <status>', 'offers are created for an active one only').choices(statuses)
  withPages(channels.command('list').description('List offer channels.'))
    .option('--product <id>', 'of this product')
    .action(options => list(cli, options))
  about('get', 'Show one.').action(id => get(cli, id))
  withKey(
    withExamples(
      channels
        .command('create')
        .description('Create one; it needs a policy before offers are created for it.'),
      "channels create --product prod_01h455vb4pex5vsknk084sn02q --name 'Resellers'",
    ),
  )
    .requiredOption('--product <id>', 'the product that it sells')
    .requiredOption('--name <name>', 'for your workspace; customers do not see it')
    .addOption(status())
    .action(options => create(cli, options))
  withExamples(
    about('update', 'Rename, activate or deactivate one.'),
    'channels update och_01h455vb4pex5vsknk084sn02q --status inactive',
  )
    .option('--name <name>', 'its new name')
    .addOption(status())
    .action((id, options) => update(cli, id, options))
  about('delete', 'Delete one with its policies, unless an offer refers to it.').action(id => remove(cli, id))
  policyCommands(channels, cli)
}

async function list(cli: Cli, { product, ...page }: PageOptions & { product?: string }): Promise<void> {
  const { client } = await cli.connect()
  const query = { product_id: product }
  await printList(cli, client.offers.list_offer_channels, page, { things: 'offer channels', query, columns })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('reading', options => client.offers.get_offer_channel(request, options))
  showChannel(cli, body)
}

interface CreateOptions extends KeyOptions {
  readonly product: string
  readonly name: string
  readonly status?: Status
}

async function create(cli: Cli, { product, name, status, ...key }: CreateOptions): Promise<void> {
  const { client } = await cli.connect()
  const request = { headers: keyHeaders(cli, key), body: { product_id: product, name, status } }
  const answer = await cli.call('creating', options => client.offers.create_offer_channel(request, options))
  noteReplay(cli, answer, 'channel')
  showChannel(cli, answer.body)
}

async function update(cli: Cli, id: string, { name, status }: Partial<CreateOptions>): Promise<void> {
  if (name === undefined && status === undefined) throw new UsageError('Give --name or --status.')
  const { client } = await cli.connect()
  const request = { params: { id }, body: { name, status } }
  const { body } = await cli.call('updating', options => client.offers.update_offer_channel(request, options))
  showChannel(cli, body)
}

async function remove(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  await cli.call('deleting', options => client.offers.delete_offer_channel({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Deleted ${id}.`)
}
