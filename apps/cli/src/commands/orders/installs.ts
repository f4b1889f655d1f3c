/** `svc installs list|get|create-credential|remove`. */
import { installStates } from '@svc/contract/offers/installs'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { printable } from '../../terminal/printable.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

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
    withPages(installs.command('list').description('List installs that the workspace owns or sold.')),
    'installs list --relation sold --all',
  )
    .addOption(
      new Option('--relation <relation>', 'owned or sold by the workspace').choices(['owned', 'sold']),
    )
    .option('--offer <id>', 'from this offer')
    .option('--product <id>', 'of this product')
    .option('--package-version <id>', 'of this package version')
    .option('--cluster <id>', 'in this cluster')
    .addOption(new Option('--state <state>', 'in this state').choices(installStates))
    .action(options => list(cli, options))
  const about = (name: string, description: string) =>
    installs.command(name).description(description).argument('<id>', 'inst_…', parseId)
  about('get', 'Show one that the workspace owns or sold.').action(id => get(cli, id))
  withExamples(
    about('create-credential', 'Create the credential with which one reads its values; shown only once.'),
    'installs create-credential inst_01h455vb4pex5vsknk084sn02q',
  ).action(id => createCredential(cli, id))
  about('remove', 'Report that one was removed, so that its cluster can be deleted.').action(id =>
    remove(cli, id),
  )
}

interface Install {
  readonly id: string
  readonly state: string
  readonly offer_id: string
  readonly cluster_id: string | null
  readonly created_at: number
}

interface WholeInstall extends Install {
  readonly order_id: string
  readonly product_id: string | null
  readonly package_version_id: string
  readonly workspace_id: string
  readonly seller_workspace_id: string
  readonly field_values: object
  readonly removed_at: number | null
}

const columns: Column<Install>[] = [
  { name: 'id', value: ({ id }) => id },
  {
    name: 'state',
    value: ({ state }) => state,
    tone: state => (state === 'removed' ? 'dim' : 'green'),
  },
  { name: 'offer_id', value: ({ offer_id }) => offer_id },
  { name: 'cluster_id', value: ({ cluster_id }) => cluster_id },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]
/** Values of `format: password` are in no answer. */
const detailed: Column<WholeInstall>[] = [
  ...columns,
  { name: 'order_id', value: ({ order_id }) => order_id },
  { name: 'product_id', value: ({ product_id }) => product_id },
  { name: 'package_version_id', value: ({ package_version_id }) => package_version_id },
  { name: 'workspace_id', value: ({ workspace_id }) => workspace_id },
  { name: 'seller_workspace_id', value: ({ seller_workspace_id }) => seller_workspace_id },
  { name: 'field_values', value: ({ field_values }) => JSON.stringify(field_values) },
  { name: 'removed_at', value: ({ removed_at }) => timeText(removed_at) },
]

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
    columns,
  })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client.offers.get_install({ params: { id } }, options),
  )
  cli.print(body, install => detailsText(cli.terminal, detailed, install))
}

async function createCredential(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('creating', options =>
    client.offers.create_install_credential(request, options),
  )
  cli.print(body, ({ credential }) => `${printable(credential)}\n`)
  if (!cli.options.json) cli.note('Copy the credential now: it won’t be shown again.')
}

async function remove(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('reporting', options => client.offers.remove_install(request, options))
  cli.print(body, install => detailsText(cli.terminal, detailed, install))
}
