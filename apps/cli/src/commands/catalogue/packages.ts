/** `svc packages list|get|create|update|delete`: what is sold, whose versions stand in `versions.ts`. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type KeyOptions, keyHeaders, noteReplay, withKey } from '../../idempotency-key.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function packageCommands(program: Command, cli: Cli): void {
  const packages = program.command('packages').description('Packages, whose versions are installed.')
  const about = (name: string, description: string) =>
    packages.command(name).description(description).argument('<id>', 'pkg_…', parseId)
  withPages(packages.command('list').description('List packages.')).action(options => list(cli, options))
  about('get', 'Show one.').action(id => get(cli, id))
  withKey(
    withExamples(
      packages.command('create').description('Create one, without any version.'),
      "packages create --name 'Acme Sync'",
    ),
  )
    .requiredOption('--name <name>', 'customers read it where an offer has no product')
    .action(options => create(cli, options))
  about('update', 'Rename one.')
    .requiredOption('--name <name>', 'its new name')
    .action((id, { name }) => update(cli, id, name))
  about('delete', 'Delete one with its versions, unless a product or an offer refers to it.').action(id =>
    remove(cli, id),
  )
}

interface Package {
  readonly id: string
  readonly name: string
  readonly created_at: number
}

const columns: Column<Package>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name, flexible: true },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

const show = (cli: Cli, found: Package) => cli.print(found, one => detailsText(cli.terminal, columns, one))

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { client } = await cli.connect()
  await printList(cli, client.offers.list_packages, options, { things: 'packages', columns })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client.offers.get_package({ params: { id } }, options),
  )
  show(cli, body)
}

async function create(cli: Cli, { name, ...key }: KeyOptions & { name: string }): Promise<void> {
  const { client } = await cli.connect()
  const request = { headers: keyHeaders(cli, key), body: { name } }
  const answer = await cli.call('creating', options => client.offers.create_package(request, options))
  noteReplay(cli, answer, 'package')
  show(cli, answer.body)
}

async function update(cli: Cli, id: string, name: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: { name } }
  const { body } = await cli.call('updating', options => client.offers.update_package(request, options))
  show(cli, body)
}

async function remove(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  await cli.call('deleting', options => client.offers.delete_package({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Deleted ${id}.`)
}
