/** `svc orders create|submit|checkout`: the customer's side of an order. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { jsonOrText, nameAndValue, parseHash, parseId } from '../../parse-values.ts'
import { readJsonInput } from '../../read-input.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { type Order, orderDetails } from './show-order.ts'

export function placeOrderCommands(orders: Command, cli: Cli): void {
  withExamples(
    orders.command('create').description('Order from an offer; again, it shows the order in progress.'),
    'orders create 7Kq2mXc9TzWf',
  )
    .argument('<short_hash>', 'of the offer: what its link ends with', parseHash)
    .action(hash => create(cli, hash))
  withExamples(
    orders.command('submit').description('Submit one that you created, with what is filled in.'),
    'orders submit order_01h455vb4pex5vsknk084sn02q --field region=eu --field seats=5',
    'orders submit order_01h455vb4pex5vsknk084sn02q --file - < values.json',
  )
    .argument('<id>', 'order_…', parseId)
    .option('--file <path>', 'the values by field, as JSON; - reads standard input. --field wins over it')
    .option('--field <name=value>', 'a value; read as JSON, otherwise as text; may be repeated', parseField)
    .option('--cluster <id>', 'the cluster of the workspace to install in')
    .action((id, options) => submit(cli, id, options))
  orders
    .command('checkout')
    .description('Start the payment of one, and show where to pay.')
    .argument('<id>', 'order_…', parseId)
    .action(id => checkout(cli, id))
}

type Values = Readonly<Record<string, unknown>>

function parseField(text: string, before: Values = {}): Values {
  const [name, value] = nameAndValue(text)
  return { ...before, [name]: jsonOrText(value) }
}

async function create(cli: Cli, short_hash: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { short_hash } }
  const { body } = await cli.call('ordering', options => client.offers.create_order(request, options))
  show(cli, body)
}

interface SubmitOptions {
  readonly file?: string
  readonly field?: Values
  readonly cluster?: string
}

async function submit(cli: Cli, id: string, { file, field, cluster }: SubmitOptions): Promise<void> {
  const given = file === undefined ? {} : await readJsonInput(cli, file)
  const { client } = await cli.connect()
  const request = { params: { id }, body: { field_values: { ...given, ...field }, cluster_id: cluster } }
  const { body } = await cli.call('submitting', options => client.offers.submit_order(request, options))
  show(cli, body)
}

interface Payment {
  readonly provider: string
  readonly url: string | null
}

const paymentColumns: Column<Payment>[] = [
  { name: 'provider', value: ({ provider }) => provider },
  { name: 'url', value: ({ url }) => url },
]

async function checkout(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('starting', options => client.offers.begin_checkout(request, options))
  cli.print(body, payment => detailsText(cli.terminal, paymentColumns, payment))
  if (!cli.options.json && body.url === null) cli.note('The seller confirms the payment.')
}

const show = (cli: Cli, body: Order) =>
  cli.print(body, order => detailsText(cli.terminal, orderDetails, order))
