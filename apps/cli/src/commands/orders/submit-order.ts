import { services } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAnswer } from '../../derived/show-output.ts'
import { jsonOrText, nameAndValue, parseId } from '../../parse-values.ts'
import { readJsonInput } from '../../read-input.ts'
import { withExamples } from '../../with-examples.ts'

export function submitOrderCommand(orders: Command, cli: Cli): void {
  withExamples(
    orders.command('submit').description('Submit an order that you created, with what is filled in.'),
    'orders submit order_01h455vb4pex5vsknk084sn02q --field region=eu --field seats=5',
    'orders submit order_01h455vb4pex5vsknk084sn02q --file - < values.json',
  )
    .argument('<id>', 'order_…', parseId)
    .option('--file <path>', 'the values by field, as JSON; - reads standard input. --field wins over it')
    .option('--field <name=value>', 'a value; read as JSON, otherwise as text; may be repeated', parseField)
    .option('--cluster <id>', 'the cluster of the workspace to install in')
    .action((id, options) => submit(cli, id, options))
}

type Values = Readonly<Record<string, unknown>>

function parseField(text: string, before: Values = {}): Values {
  const [name, value] = nameAndValue(text)
  return { ...before, [name]: jsonOrText(value) }
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
  showAnswer(cli, services.offers.operations.submit_order, body)
}
