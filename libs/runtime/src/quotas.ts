/** Quotas of the workspaces in the schema of one service: its migration has the triggers that hold them. */
import { refusal } from '@svc/contract/errors'
import { type Quota, type QuotaUse, quotas, quotasOf } from '@svc/contract/quotas'
import type { Sql } from './database.ts'

type Service = (typeof quotas)[keyof typeof quotas]['service']

/** What the triggers raise, with the quota and its number as JSON in the detail. */
export const quotaExceeded = 'SV002'

/** @param detail of the error that a trigger raised */
export function quotaRefusal(detail: string | undefined) {
  const { quota, most } = JSON.parse(detail ?? '{}') as { quota: keyof typeof quotas; most: number }
  const { counts, kept }: Quota = quotas[quota]
  const room = kept
    ? 'Ask the operator for more.'
    : 'Delete what is no longer needed, or ask the operator for more.'
  return refusal('quota_exceeded', {
    message: `The quota ${quota} is used up: ${most} ${counts}. ${room}`,
    metadata: { quota, most: String(most) },
  })
}

/** Writes the common numbers, as this release has them. */
export async function ensureQuotas(sql: Sql, service: Service): Promise<void> {
  const own = quotasOf(service)
  await sql`
    insert into quota_limits (quota, workspace_id, most)
    select quota, '', most from unnest(${own.map(({ name }) => name)}::text[], ${own.map(({ most }) => most)}::bigint[]) as own (quota, most)
    order by quota
    on conflict (quota, workspace_id) do update set most = excluded.most`
}

/** What a workspace has of what `service` keeps, by name. */
export async function listQuotas(sql: Sql, service: Service, workspace: string): Promise<QuotaUse[]> {
  const names = quotasOf(service).map(({ name }) => name)
  const rows = await sql<{ quota: string; used: string; most: string }>`
    select own.quota, own.most, quota_use(own.quota, ${workspace}, greatest(own.most, ${countedTo})) as used
    from (
      select distinct on (quota) quota, most from quota_limits
      where quota = any(${names}::text[]) and workspace_id in (${workspace}, '')
      order by quota, workspace_id desc
    ) as own`
  return rows.map(({ quota, used, most }) => ({ quota, used: Number(used), most: Number(most) }))
}

/** Where a number was lowered there may be more: no more than the common numbers let anybody have. */
const countedTo = 10_000

interface Wanted {
  readonly workspace: string
  readonly quota: keyof typeof quotas
  /** null: the common one. */
  readonly most: number | null
}

/** @throws ApiError `Unprocessable` where the quota is another service's */
export async function setQuota(sql: Sql, service: Service, { workspace, quota, most }: Wanted) {
  if (quotas[quota].service !== service) {
    throw refusal('unknown_reference', {
      path: ['quota'],
      message: `${quota} is a quota of ${quotas[quota].service}.`,
    })
  }
  const [row] = await sql<{ most: number }>`
    with gone as (
      delete from quota_limits where quota = ${quota} and workspace_id = ${workspace} and ${most}::bigint is null
    ), own as (
      insert into quota_limits (quota, workspace_id, most)
      select ${quota}, ${workspace}, ${most}::bigint where ${most}::bigint is not null
      on conflict (quota, workspace_id) do update set most = excluded.most
      returning most
    )
    select coalesce((select most from own), l.most) as most from quota_limits l
    where l.quota = ${quota} and l.workspace_id = ''`
  return { quota, most: Number(row?.most ?? most) }
}
