/** `svc clusters list|get|create|update|delete`. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type KeyOptions, keyHeaders, noteReplay, withKey } from '../../idempotency-key.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, parseInteger, timeText } from '../../parse-values.ts'
import { type Column, detailsText, listText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function clusterOwnCommands(clusters: Command, cli: Cli): void {
  const about = (name: string, description: string) =>
    clusters.command(name).description(description).argument('<id>', 'clus_…', parseId)
  withPages(clusters.command('list').description('List clusters.')).action(options => list(cli, options))
  about('get', 'Show one, with its settings.').action(id => get(cli, id))
  withKey(
    withExamples(clusters.command('create').description('Create one.'), 'clusters create --name production'),
  )
    .requiredOption('--name <name>', 'for people')
    .action(options => create(cli, options))
  about('update', 'Rename one.')
    .requiredOption('--name <name>', 'its new name')
    .action((id, { name }) => update(cli, id, name))
  about('machines', 'Show how many machines one had, by hour.')
    .option('--hours <n>', 'how far back, 1 to 720 (default: 168)', parseInteger)
    .action((id, options) => machines(cli, id, options))
  about('delete', 'Delete one, unless an install refers to it.').action(id => remove(cli, id))
}

interface Cluster {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly compute_settings: {
    readonly machines: number
    readonly max_machines: number
    readonly auto_scaling: string
  }
  readonly agent: { readonly has_secret: boolean; readonly last_reported_at: number | null }
}

const columns: Column<Cluster>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name, flexible: true },
  { name: 'machines', value: ({ compute_settings }) => compute_settings.machines },
  { name: 'max_machines', value: ({ compute_settings }) => compute_settings.max_machines },
  { name: 'auto_scaling', value: ({ compute_settings }) => compute_settings.auto_scaling },
]
const detailed: Column<Cluster>[] = [
  ...columns,
  { name: 'agent_has_secret', value: ({ agent }) => agent.has_secret },
  { name: 'agent_last_reported_at', value: ({ agent }) => timeText(agent.last_reported_at) },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

const show = (cli: Cli, found: Cluster) => cli.print(found, one => detailsText(cli.terminal, detailed, one))

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { client } = await cli.connect()
  await printList<Cluster>(cli, client.compute.list_clusters, options, { things: 'clusters', columns })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client.compute.get_cluster({ params: { id } }, options),
  )
  show(cli, body)
}

async function create(cli: Cli, { name, ...key }: KeyOptions & { name: string }): Promise<void> {
  const { client } = await cli.connect()
  const request = { headers: keyHeaders(cli, key), body: { name } }
  const answer = await cli.call('creating', options => client.compute.create_cluster(request, options))
  noteReplay(cli, answer, 'cluster')
  show(cli, answer.body)
}

async function update(cli: Cli, id: string, name: string): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: { name } }
  const { body } = await cli.call('updating', options => client.compute.update_cluster(request, options))
  show(cli, body)
}

async function machines(cli: Cli, id: string, { hours }: { hours?: number }): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client.compute.list_machine_counts({ params: { id }, query: { hours } }, options),
  )
  cli.print(body, ({ data }) =>
    listText(
      cli.terminal,
      [
        { name: 'hour', value: ({ at }) => timeText(at) },
        { name: 'least', value: ({ least }) => least },
        { name: 'most', value: ({ most }) => most },
      ],
      data,
      'reports',
    ),
  )
}

async function remove(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  await cli.call('deleting', options => client.compute.delete_cluster({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Deleted ${id}.`)
}
