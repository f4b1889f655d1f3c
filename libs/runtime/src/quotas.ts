import { refusal } from '@svc/contract/core/errors'
import { type QuotaUse, quotas, quotasOf } from '@svc/contract/core/quotas'
import type { Attribution } from '@svc/contract/core/actor'
import type { Sql } from './database.ts'
import { intoOutbox } from './outbox/outbox.ts'
import { fragment } from './sql-fragment.ts'

export async function ensureQuotas(sql: Sql, service: string): Promise<void> {
  const own = quotasOf(service)
  await sql`/* runtime.ensure_quotas */
    insert into quota_limits (quota, workspace_id, most)
    select quota, '', most from unnest(${own.map(({ name }) => name)}::text[], ${own.map(({ most }) => most)}::bigint[]) as own (quota, most)
    order by quota
    on conflict (quota, workspace_id) do update set most = excluded.most`
}

export async function listQuotas(sql: Sql, service: string, workspace: string): Promise<QuotaUse[]> {
  const names = quotasOf(service).map(({ name }) => name)
  const rows = await sql<{ quota: string; used: string; most: string }>`/* runtime.list_quotas */
    select own.quota, own.most, quota_use(own.quota, ${workspace}, greatest(own.most, ${countedTo})) as used
    from (
      select distinct on (quota) quota, most from quota_limits
      where quota = any(${names}::text[]) and workspace_id in (${workspace}, '')
      order by quota, workspace_id desc
    ) as own`
  return rows.map(({ quota, used, most }) => ({ quota, used: Number(used), most: Number(most) }))
}

/** After a limit was lowered there may be more, but no more than the defaults allow. */
const countedTo = 10_000

interface Wanted {
  readonly workspace: string
  readonly quota: keyof typeof quotas
  readonly most: number | null
  readonly by: Attribution
}

/**
 * @param nameOf the workspace; null: it does not exist
 * @throws ApiError `Unprocessable` if the quota belongs to another service, or the workspace does not exist
 */
export async function setQuota(
  sql: Sql,
  service: string,
  { workspace, quota, most, by }: Wanted,
  nameOf: () => Promise<string | null>,
) {
  if (quotas[quota].service !== service) {
    throw refusal('unknown_reference', {
      path: ['quota'],
      message: `${quota} is a quota of ${quotas[quota].service}.`,
    })
  }
  if ((await nameOf()) === null) {
    throw refusal('unknown_reference', {
      path: ['workspace'],
      message: `workspace: there is no workspace ${workspace}.`,
    })
  }
  const [row] = await sql<{ most: number }>`/* runtime.set_quota */
    with before as materialized (
      select most from quota_limits where quota = ${quota} and workspace_id = ${workspace} for no key update
    ), gone as (
      delete from quota_limits
      where quota = ${quota} and workspace_id = ${workspace} and ${most}::bigint is null and exists (select from before)
      returning null::bigint as most
    ), own as (
      insert into quota_limits (quota, workspace_id, most)
      select ${quota}, ${workspace}, ${most}::bigint
      -- Read first, so that it is locked as it was.
      from (select count(*) from before) locked where ${most}::bigint is not null
      on conflict (quota, workspace_id) do update set most = excluded.most
      returning most
    ), event as (
      ${intoOutbox(by, changed)}
      ${`${workspace}/${quota}`}, 'events.quotas.set',
      jsonb_build_object('workspace_id', ${workspace}::text, 'quota', ${quota}::text, 'most', most)
      from (select most from own union all select most from gone) as now_own
      where most is distinct from (select most from before)
    )
    select coalesce((select most from own), l.most) as most from quota_limits l
    where l.quota = ${quota} and l.workspace_id = ''`
  return { quota, most: Number(row?.most ?? most) }
}

const changed = fragment`
  changes_of(jsonb_build_object('most', (select most from before)), jsonb_build_object('most', most))`
