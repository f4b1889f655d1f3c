import { type ComputeSettings, type ComputeSettingsChange, ComputeSettingsConflictError } from '@svc/client'
import { services } from '@svc/contract/services'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { confirm } from '../../confirm.ts'
import { showAnswer } from '../../derived/show-output.ts'
import type { Connection } from '../../connect.ts'
import { UsageError } from '../../failure.ts'
import { parseId, parseInteger, timeText } from '../../parse-values.ts'
import { withExamples } from '../../with-examples.ts'

export const setSettingsCommand = (settings: Command, cli: Cli): Command =>
  withExamples(
    settings
      .command('set')
      .description('Change the compute settings of a cluster, unless someone else changed them first.'),
    'clusters settings set clus_01h455vb4pex5vsknk084sn02q --max-machines 50 --auto-scaling active',
    'clusters settings set clus_01h455vb4pex5vsknk084sn02q --max-machines 50 --etag h5sbXzGp0aQm3v1u',
  )
    .argument('<id>', 'clus_…', parseId)
    .option('--max-machines <n>', 'at most this many', parseInteger)
    .addOption(
      new Option('--auto-scaling <state>', 'whether machines follow the load').choices([
        'active',
        'inactive',
      ]),
    )
    .option('--etag <etag>', 'the settings that this change is based on (default: the current ones)')
    .option('--yes', 'overwrite other people’s changes without asking')
    .action((id, options) => set(cli, id, options))

interface SetOptions {
  readonly maxMachines?: number
  readonly autoScaling?: string
  readonly etag?: string
  readonly yes?: boolean
}

async function set(
  cli: Cli,
  id: string,
  { maxMachines, autoScaling, etag, yes = false }: SetOptions,
): Promise<void> {
  const change = {
    ...(maxMachines !== undefined && { max_machines: maxMachines }),
    ...(autoScaling !== undefined && { auto_scaling_enabled: autoScaling === 'active' }),
  }
  if (Object.keys(change).length === 0) throw new UsageError('Give --max-machines or --auto-scaling.')
  const { client } = await cli.connect()
  let seen = etag === undefined ? await read(cli, client, id) : undefined
  let condition = etag ?? seen?.etag ?? ''
  for (;;) {
    try {
      const request = { params: { id }, headers: { 'if-match': condition }, body: change }
      const { body } = await cli.call('setting', options =>
        client.compute.update_compute_settings(request, options),
      )
      return showAnswer(cli, services.compute.operations.update_compute_settings, body)
    } catch (error) {
      if (!(error instanceof ComputeSettingsConflictError)) throw error
      // What to do depends on the settings, and the conflict only has their etag.
      const now = await read(cli, client, id)
      showConflict(cli, { seen, now, change })
      // If nobody can be asked, fail with the API's conflict.
      if (!yes && !cli.asks) throw error
      if (!yes) await confirm(cli, 'Apply your changes anyway?')
      seen = now
      condition = now.etag
    }
  }
}

async function read(cli: Cli, client: Connection['client'], id: string): Promise<ComputeSettings> {
  const request = { params: { id } }
  return (await cli.call('reading', options => client.compute.get_compute_settings(request, options))).body
}

interface Conflict {
  /** Undefined if the etag was given: its settings are unknown. */
  readonly seen: ComputeSettings | undefined
  readonly now: ComputeSettings
  readonly change: ComputeSettingsChange
}

function showConflict({ note, terminal: { style } }: Cli, { seen, now, change }: Conflict): void {
  const { auto_scaling_enabled } = change
  const wanted = {
    max_machines: change.max_machines,
    auto_scaling:
      auto_scaling_enabled === undefined ? undefined : auto_scaling_enabled ? 'active' : 'inactive',
  }
  note(`${style('yellow', 'Someone else changed the settings')}, at ${timeText(now.updated_at)}:`)
  for (const name of ['auto_scaling', 'max_machines'] as const) {
    const before = seen && seen[name] !== now[name] ? `${seen[name]} → ` : ''
    const asked = wanted[name] === undefined ? '' : ` (yours: ${wanted[name]})`
    note(`  ${name}: ${before}${now[name]}${asked}`)
  }
}
