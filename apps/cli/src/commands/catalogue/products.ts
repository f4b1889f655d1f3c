/** `svc products list|get|create|update|set-version|delete`. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '../../cli.ts'
import { type KeyOptions, keyHeaders, noteReplay, withKey } from '../../idempotency-key.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function productCommands(program: Command, cli: Cli): void {
  const products = program.command('products').description('Products, each of which sells a package.')
  const about = (name: string, description: string) =>
    products.command(name).description(description).argument('<id>', 'prod_…', parseId)
  withPages(products.command('list').description('List products.')).action(options => list(cli, options))
  about('get', 'Show one.').action(id => get(cli, id))
  withKey(
    withExamples(
      products.command('create').description('Create one.'),
      "products create --name 'Acme Sync' --package pkg_01h455vb4pex5vsknk084sn02q",
    ),
  )
    .requiredOption('--name <name>', 'customers read it')
    .requiredOption('--package <id>', 'the package that it sells; it cannot be changed later')
    .option(
      '--current-version <id>',
      'the version of offers that name none (default: such offers are refused)',
    )
    .action(options => create(cli, options))
  about('update', 'Rename one.')
    .requiredOption('--name <name>', 'its new name')
    .action((id, { name }) => update(cli, id, { name }))
  withExamples(
    about('set-version', 'Set the version of offers that name none.'),
    'products set-version prod_01h455vb4pex5vsknk084sn02q pkgv_01h455vb4pex5vsknk084sn02q',
    'products set-version prod_01h455vb4pex5vsknk084sn02q none',
  )
    .argument('<version>', 'pkgv_…, or none: offers that name no version are refused', parseVersion)
    .action((id, version) =>
      update(cli, id, { current_package_version_id: version === none ? null : version }),
    )
  about('delete', 'Delete one, unless an offer channel or an offer refers to it.').action(id =>
    remove(cli, id),
  )
}

/** Not null: commander would make an empty text of it. */
const none = 'none'

function parseVersion(text: string): string {
  if (text !== none && !text.startsWith('pkgv_')) {
    throw new InvalidArgumentError('Give the id of a package version (pkgv_…), or none.')
  }
  return parseId(text)
}

interface Product {
  readonly id: string
  readonly name: string
  readonly package_id: string
  readonly current_package_version_id: string | null
  readonly created_at: number
}

const columns: Column<Product>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name, flexible: true },
  { name: 'package_id', value: ({ package_id }) => package_id },
  {
    name: 'current_package_version_id',
    value: ({ current_package_version_id }) => current_package_version_id,
  },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

const show = (cli: Cli, found: Product) => cli.print(found, one => detailsText(cli.terminal, columns, one))

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { client } = await cli.connect()
  await printList(cli, client.offers.list_products, options, { things: 'products', columns })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client.offers.get_product({ params: { id } }, options),
  )
  show(cli, body)
}

interface CreateOptions extends KeyOptions {
  readonly name: string
  readonly package: string
  readonly currentVersion?: string
}

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  const { client } = await cli.connect()
  const { name, package: package_id, currentVersion: current_package_version_id } = options
  const request = {
    headers: keyHeaders(cli, options),
    body: { name, package_id, current_package_version_id },
  }
  const answer = await cli.call('creating', call => client.offers.create_product(request, call))
  noteReplay(cli, answer, 'product')
  show(cli, answer.body)
}

interface Change {
  readonly name?: string
  readonly current_package_version_id?: string | null
}

async function update(cli: Cli, id: string, change: Change): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: change }
  const { body } = await cli.call('updating', options => client.offers.update_product(request, options))
  show(cli, body)
}

async function remove(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  await cli.call('deleting', options => client.offers.delete_product({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Deleted ${id}.`)
}
