/** `svc orders …`: to read orders, the seller's decisions, and the end of an order from either side. The customer's: `place-orders.ts`. */
import { orderStates } from '@svc/contract/offers/orders'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { placeOrderCommands } from './place-orders.ts'
import { type Order, orderColumns, orderDetails } from './show-order.ts'

interface WholeOrder extends Order {
  readonly terms: object
  readonly field_values: object | null
}

interface ListOptions extends PageOptions {
  readonly relation?: string
  readonly offer?: string
  readonly state?: string
}

export function orderCommands(program: Command, cli: Cli): void {
  const orders = program.command('orders').description('Orders of offers.')
  withExamples(
    withPages(orders.command('list').description('List orders that the workspace placed or received.')),
    'orders list --relation received --state awaiting_approval',
  )
    .addOption(
      new Option('--relation <relation>', 'placed or received by the workspace').choices([
        'placed',
        'received',
      ]),
    )
    .option('--offer <id>', 'of this offer')
    .addOption(new Option('--state <state>', 'in this state').choices(orderStates))
    .action(options => list(cli, options))
  orders
    .command('get')
    .description('Show one that the workspace placed or received, with what was submitted.')
    .argument('<id>', 'order_…', parseId)
    .action(id => get(cli, id))
  orders
    .command('approve')
    .description('Approve one that the workspace received.')
    .argument('<id>', 'order_…', parseId)
    .action(id => approve(cli, id))
  withExamples(
    orders.command('reject').description('Reject one that the workspace received.'),
    "orders reject order_01h455vb4pex5vsknk084sn02q --reason 'Sold out.'",
  )
    .argument('<id>', 'order_…', parseId)
    .option('--reason <text>', 'shown to the customer')
    .action((id, options) => reject(cli, id, options))
  orders
    .command('confirm-payment')
    .description('Confirm that one that the workspace received is paid.')
    .argument('<id>', 'order_…', parseId)
    .action(id => confirmPayment(cli, id))
  orders
    .command('cancel')
    .description('Cancel one in progress that the workspace placed or received.')
    .argument('<id>', 'order_…', parseId)
    .action(id => cancel(cli, id))
  placeOrderCommands(orders, cli)
}

/** Answers never include values of `format: password`. */
const whole: Column<WholeOrder>[] = [
  ...orderDetails,
  { name: 'terms', value: ({ terms }) => JSON.stringify(terms) },
  { name: 'field_values', value: ({ field_values }) => field_values && JSON.stringify(field_values) },
]
async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { relation, offer, state } = options
  const { client } = await cli.connect()
  const query = { relation, offer_id: offer, state }
  await printList<Order>(cli, client.offers.list_orders, options, {
    things: 'orders',
    query,
    columns: orderColumns,
  })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options => client.offers.get_order({ params: { id } }, options))
  cli.print(body, order => detailsText(cli.terminal, whole, order))
}

async function approve(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('approving', options => client.offers.approve_order(request, options))
  cli.print(body, order => detailsText(cli.terminal, orderDetails, order))
}

async function reject(cli: Cli, id: string, { reason }: { reason?: string }): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: { reason } }
  const { body } = await cli.call('rejecting', options => client.offers.reject_order(request, options))
  cli.print(body, order => detailsText(cli.terminal, orderDetails, order))
}

async function confirmPayment(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('confirming', options => client.offers.confirm_payment(request, options))
  cli.print(body, order => detailsText(cli.terminal, orderDetails, order))
}

async function cancel(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('cancelling', options => client.offers.cancel_order(request, options))
  cli.print(body, order => detailsText(cli.terminal, orderDetails, order))
}
