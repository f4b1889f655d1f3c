/** `svc versions list|get|publish`: the immutable versions of a package. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import { readJsonInput } from '../../read-input.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function versionCommands(program: Command, cli: Cli): void {
  const versions = program.command('versions').description('Versions of packages; a version never changes.')
  withPages(versions.command('list').description('List versions of a package.'))
    .argument('<package>', 'pkg_…', parseId)
    .action((id, options) => list(cli, id, options))
  versions
    .command('get')
    .description('Show one, with its input schema.')
    .argument('<id>', 'pkgv_…', parseId)
    .action(id => get(cli, id))
  withExamples(
    versions.command('publish').description('Publish one; publishing it again shows the existing one.'),
    'versions publish pkg_01h455vb4pex5vsknk084sn02q --name 1.4.0 --schema schema.json',
    'versions publish pkg_01h455vb4pex5vsknk084sn02q --name 1.4.0 --schema - < schema.json',
  )
    .argument('<package>', 'pkg_…', parseId)
    // Not --version: that prints the version of svc.
    .requiredOption('--name <version>', 'your name for it, unique in the package')
    .requiredOption(
      '--schema <path>',
      'JSON Schema of what a customer fills in, as a file; - reads standard input',
    )
    .action((id, options) => publish(cli, id, options))
}

interface Version {
  readonly id: string
  readonly package_id: string
  readonly version: string
  readonly created_at: number
}

interface VersionWithSchema extends Version {
  readonly input_schema: object
}

const columns: Column<Version>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'version', value: ({ version }) => version, flexible: true },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]
const detailed: Column<VersionWithSchema>[] = [
  ...columns,
  { name: 'package_id', value: ({ package_id }) => package_id },
  { name: 'input_schema', value: ({ input_schema }) => JSON.stringify(input_schema) },
]

const show = (cli: Cli, found: VersionWithSchema) =>
  cli.print(found, one => detailsText(cli.terminal, detailed, one))

async function list(cli: Cli, id: string, options: PageOptions): Promise<void> {
  const { client } = await cli.connect()
  const ofPackage = (input: { query: object }, call: { signal?: AbortSignal }) =>
    client.offers.list_package_versions({ ...input, params: { id } }, call)
  await printList<Version>(cli, ofPackage, options, { things: 'versions', columns })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id } }
  const { body } = await cli.call('reading', options => client.offers.get_package_version(request, options))
  show(cli, body)
}

interface PublishOptions {
  readonly name: string
  readonly schema: string
}

async function publish(cli: Cli, id: string, { name, schema }: PublishOptions): Promise<void> {
  const input_schema = { ...(await readJsonInput(cli, schema)) }
  const { client } = await cli.connect()
  const request = { params: { id }, body: { version: name, input_schema } }
  const { body } = await cli.call('publishing', options =>
    client.offers.create_package_version(request, options),
  )
  show(cli, body)
}
