/** `svc webhooks test|deliveries|redeliver`: what was sent to an endpoint. */
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'

const states = ['pending', 'delivered', 'failed'] as const

export function deliveryCommands(webhooks: Command, cli: Cli): void {
  webhooks
    .command('test')
    .description('Send a test event to one, also while it is paused.')
    .argument('<id>', 'whe_…', parseId)
    .action(id => test(cli, id))
  withPages(
    webhooks.command('deliveries').description('List deliveries to an endpoint, newest events first.'),
  )
    .argument('<id>', 'whe_…', parseId)
    .addOption(new Option('--state <state>', 'in this state').choices(states))
    .action((id, options) => list(cli, id, options))
  webhooks
    .command('redeliver')
    .description('Redeliver an event.')
    .argument('<id>', 'whe_…', parseId)
    .argument('<delivery>', 'evt_…', parseId)
    .action((id, delivery) => redeliver(cli, id, delivery))
}

interface Delivery {
  readonly id: string
  readonly type: string
  readonly aggregate_id: string
  readonly state: string
  readonly created_at: number
  readonly next_attempt_at: number | null
  readonly attempts: readonly {
    readonly at: number
    readonly status: number | null
    readonly error: string | null
  }[]
}

const last = ({ attempts }: Delivery) => attempts.at(-1)

const columns: Column<Delivery>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'type', value: ({ type }) => type },
  { name: 'aggregate_id', value: ({ aggregate_id }) => aggregate_id },
  {
    name: 'state',
    value: ({ state }) => state,
    tone: state => (state === 'delivered' ? 'green' : state === 'failed' ? 'red' : 'yellow'),
  },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
  { name: 'attempts', value: ({ attempts }) => attempts.length },
  { name: 'last_attempt_at', value: delivery => timeText(last(delivery)?.at) },
  { name: 'status', value: delivery => last(delivery)?.status },
  { name: 'next_attempt_at', value: ({ next_attempt_at }) => timeText(next_attempt_at) },
  { name: 'error', value: delivery => last(delivery)?.error, flexible: true },
]

function show(cli: Cli, delivery: Delivery): void {
  cli.print(delivery, () => detailsText(cli.terminal, columns, delivery))
}

async function test(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('sending', options =>
    client.activity.create_test_delivery(request, options),
  )
  show(cli, body)
}

async function list(
  cli: Cli,
  id: string,
  { state, ...page }: PageOptions & { state?: (typeof states)[number] },
): Promise<void> {
  const { client } = await cli.connect()
  const ofEndpoint = (input: { query: object }, options: { signal?: AbortSignal }) =>
    client.activity.list_webhook_deliveries({ ...input, params: { id } }, options)
  await printList(cli, ofEndpoint, page, { things: 'deliveries', query: { state }, columns })
}

async function redeliver(cli: Cli, id: string, delivery_id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id, delivery_id } }
  const { body } = await cli.call('sending', options => client.activity.redeliver_webhook(request, options))
  show(cli, body)
}
