import { services } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAnswer } from '../../derived/show-output.ts'
import { parseId } from '../../parse-values.ts'

export const checkoutCommand = (orders: Command, cli: Cli): Command =>
  orders
    .command('checkout')
    .description('Start the payment of an order, and show where to pay.')
    .argument('<id>', 'order_…', parseId)
    .action(id => checkout(cli, id))

async function checkout(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('starting', options => client.offers.begin_checkout(request, options))
  showAnswer(cli, services.offers.operations.begin_checkout, body)
  if (!cli.options.json && body.url === null) cli.note('The seller confirms the payment.')
}
