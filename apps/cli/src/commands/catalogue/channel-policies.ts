/** `svc channels policies list|get|publish|activate`: the numbered terms of an offer channel. */
import type { Client } from '@svc/client'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, parseNumber, timeText } from '../../parse-values.ts'
import { readJsonInput } from '../../read-input.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { showChannel } from './show-channel.ts'

type Policy = Parameters<Client['offers']['create_channel_policy']>[0]['body']['policy']

export function policyCommands(channels: Command, cli: Cli): void {
  const policies = channels
    .command('policies')
    .description('The policies of an offer channel; a policy never changes.')
  withPages(policies.command('list').description('List policies of a channel, newest first.'))
    .argument('<channel>', 'och_…', parseId)
    .action((id, options) => list(cli, id, options))
  policies
    .command('get')
    .description('Show one of a channel.')
    .argument('<channel>', 'och_…', parseId)
    .argument('<number>', 'of the policy', parseNumber)
    .action((id, number) => get(cli, id, number))
  withExamples(
    policies.command('publish').description('Publish the next policy of a channel.'),
    'channels policies publish och_01h455vb4pex5vsknk084sn02q --policy policy.json --activate',
    'channels policies publish och_01h455vb4pex5vsknk084sn02q --policy - < policy.json',
  )
    .argument('<channel>', 'och_…', parseId)
    .requiredOption('--policy <path>', 'the terms as JSON, in a file; - reads standard input')
    .option('--activate', 'apply it to new offers from now on')
    .action((id, options) => publish(cli, id, options))
  withExamples(
    policies.command('activate').description('Apply one to new offers from now on.'),
    'channels policies activate och_01h455vb4pex5vsknk084sn02q 3',
  )
    .argument('<channel>', 'och_…', parseId)
    .argument('<number>', 'of the policy', parseNumber)
    .action((id, number) => activate(cli, id, number))
}

interface NumberedPolicy {
  readonly number: number
  readonly active: boolean
  readonly policy: { readonly approval: string; readonly checkout: string; readonly pricing: object }
  readonly created_at: number
}

const columns: Column<NumberedPolicy>[] = [
  { name: 'number', value: ({ number }) => number },
  {
    name: 'active',
    value: ({ active }) => active,
    tone: active => (active === 'true' ? 'green' : 'dim'),
  },
  { name: 'approval', value: ({ policy }) => policy.approval },
  { name: 'checkout', value: ({ policy }) => policy.checkout },
  { name: 'pricing', value: ({ policy }) => JSON.stringify(policy.pricing), flexible: true },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

async function list(cli: Cli, id: string, options: PageOptions): Promise<void> {
  const { client } = await cli.connect()
  const ofChannel = (input: { query: object }, call: { signal?: AbortSignal }) =>
    client.offers.list_channel_policies({ ...input, params: { id } }, call)
  await printList<NumberedPolicy>(cli, ofChannel, options, { things: 'policies', columns })
}

async function get(cli: Cli, id: string, number: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client.offers.get_channel_policy({ params: { id, number } }, options),
  )
  show(cli, body)
}

interface PublishOptions {
  readonly policy: string
  readonly activate?: true
}

async function publish(cli: Cli, id: string, options: PublishOptions): Promise<void> {
  // The API reports what is wrong, in the same words for everyone.
  const policy = (await readJsonInput(cli, options.policy)) as Policy
  const { client } = await cli.connect()
  const request = { params: { id }, body: { policy, activate: options.activate } }
  const { body } = await cli.call('publishing', call => client.offers.create_channel_policy(request, call))
  show(cli, body)
}

const show = (cli: Cli, found: NumberedPolicy): void =>
  cli.print(found, one =>
    detailsText(
      cli.terminal,
      [...columns, { name: 'policy', value: ({ policy }) => JSON.stringify(policy) }],
      one,
    ),
  )

async function activate(cli: Cli, id: string, number: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id, number } }
  const { body } = await cli.call('activating', options =>
    client.offers.activate_channel_policy(request, options),
  )
  showChannel(cli, body)
}
