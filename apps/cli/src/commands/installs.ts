/** `svc installs list`. */
import { installStates } from '@svc/contract/offers/installs'
import { type Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { type PageOptions, printList, withPages } from '../list.ts'
import { timeText } from '../parse-values.ts'
import { withExamples } from '../with-examples.ts'

interface ListOptions extends PageOptions {
  readonly relation?: string
  readonly offer?: string
  readonly product?: string
  readonly packageVersion?: string
  readonly cluster?: string
  readonly state?: string
}

export function installCommands(program: Command, cli: Cli): void {
  const installs = program.command('installs').description('What customers installed from offers.')
  withExamples(
    withPages(installs.command('list').description('List those that the workspace owns or sold.')),
    'installs list --relation sold --all',
  )
    .addOption(new Option('--relation <relation>', 'of the workspace to them').choices(['owned', 'sold']))
    .option('--offer <id>', 'from this offer')
    .option('--product <id>', 'of this product')
    .option('--package-version <id>', 'of this package version')
    .option('--cluster <id>', 'in this cluster')
    .addOption(new Option('--state <state>', 'in this state').choices(installStates))
    .action(options => list(cli, options))
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { relation, offer, product, packageVersion, cluster, state } = options
  const { client } = await cli.connect()
  await printList(cli, client.offers.list_installs, options, {
    things: 'installs',
    query: {
      relation,
      offer_id: offer,
      product_id: product,
      package_version_id: packageVersion,
      cluster_id: cluster,
      state,
    },
    columns: [
      { name: 'id', value: ({ id }) => id },
      { name: 'state', value: ({ state }) => state, tone: () => 'green' },
      { name: 'offer_id', value: ({ offer_id }) => offer_id },
      { name: 'cluster_id', value: ({ cluster_id }) => cluster_id },
      { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
    ],
  })
}
