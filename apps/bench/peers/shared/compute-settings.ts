/** PATCH compute_settings: compare and swap. */
import type { Caller } from './caller.ts'
import { newEtag } from './id.ts'
import type { Pool } from './pool.ts'
import { invalid, Refusal } from './refusal.ts'

export interface SettingsInput {
  auto_scaling_enabled?: boolean | undefined
  max_machines?: number | undefined
}

export interface Settings {
  auto_scaling: 'active' | 'inactive'
  machines: number
  max_machines: number
  updated_at: number
  etag: string
}

interface Row {
  auto_scaling_enabled: boolean
  machines: number
  max_machines: number
  updated_at: number
  etag: string
}

export const maxMachines = 1000

/** One etag, bare or in quotes; `*`, weak ones and lists are refused. */
export function etagOf(ifMatch: string | undefined): string {
  const [, bare, quoted] = /^(?:([\w-]{1,64})|"([\w-]{1,64})")$/.exec(ifMatch ?? '') ?? []
  const etag = bare ?? quoted
  if (!etag) throw invalid(['If-Match'], 'If-Match must be the etag of the latest compute settings.', 40003)
  return etag
}

/** The winner's way is one statement; only who did not win asks why. */
export async function updateComputeSettings(
  pool: Pool,
  caller: Caller,
  cluster: string,
  etag: string,
  input: SettingsInput,
): Promise<Settings> {
  const { auto_scaling_enabled = null, max_machines = null } = input
  const sql = pool.next()
  const [changed] = await sql<Row[]>`
    update compute.clusters set
      auto_scaling_enabled = coalesce(${auto_scaling_enabled}::boolean, auto_scaling_enabled),
      max_machines = coalesce(${max_machines}::integer, max_machines),
      previous_etag = etag,
      etag = ${newEtag()},
      updated_at = date_trunc('second', now())
    where workspace_id = ${caller.workspace} and id = ${cluster} and etag = ${etag}
      and (coalesce(${auto_scaling_enabled}::boolean, auto_scaling_enabled),
        coalesce(${max_machines}::integer, max_machines)) is distinct from (auto_scaling_enabled, max_machines)
    returning auto_scaling_enabled, machines, max_machines, extract(epoch from updated_at)::float8 as updated_at, etag`
  return changed ? settingsOf(changed) : unchanged(pool, caller, cluster, etag, input)
}

/** Nothing was to be changed, or it was changed by this request before, or the etag is another one. */
async function unchanged(
  pool: Pool,
  caller: Caller,
  cluster: string,
  etag: string,
  input: SettingsInput,
): Promise<Settings> {
  const sql = pool.next()
  const [row] = await sql<(Row & { previous_etag: string | null })[]>`
    select auto_scaling_enabled, machines, max_machines, extract(epoch from updated_at)::float8 as updated_at,
      etag, previous_etag
    from compute.clusters where workspace_id = ${caller.workspace} and id = ${cluster}`
  if (!row) throw new Refusal(404, { _tag: 'ClusterNotFoundError' })
  const { auto_scaling_enabled = row.auto_scaling_enabled, max_machines = row.max_machines } = input
  const equal = auto_scaling_enabled === row.auto_scaling_enabled && max_machines === row.max_machines
  if (equal && (etag === row.etag || etag === row.previous_etag)) return settingsOf(row)
  throw new Refusal(409, {
    _tag: 'ComputeSettingsConflictError',
    message: 'The settings have changed since the etag in If-Match.',
    currentEtag: row.etag,
  })
}

const settingsOf = ({ auto_scaling_enabled, machines, max_machines, updated_at, etag }: Row): Settings => ({
  auto_scaling: auto_scaling_enabled ? 'active' : 'inactive',
  machines,
  max_machines,
  updated_at: Math.floor(updated_at),
  etag,
})
