/** What an offer refers to, and the row of its key, read by one statement. */
import type { OfferInput } from '@svc/contract/offers/offer-input'
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import type { Sql } from '@svc/runtime/database'
import type { KeyRow } from './idempotency-key.ts'

export interface OfferReferences {
  readonly key: KeyRow | undefined
  readonly product: { readonly package_id: string; readonly current_version_id: string | null } | undefined
  readonly version:
    | {
        readonly id: string
        readonly workspace_id: string
        readonly package_id: string
        readonly schema_hash: string
      }
    | undefined
  readonly channel:
    | {
        readonly product_id: string
        readonly status: 'active' | 'inactive'
        readonly active: { readonly number: number; readonly policy: ChannelPolicy } | undefined
      }
    | undefined
}

interface Row extends KeyRow {
  product_package: string | null
  current_version_id: string | null
  version_id: string | null
  version_package: string
  schema_hash: string
  channel_product: string | null
  channel_status: 'active' | 'inactive'
  policy_number: number | null
  policy: ChannelPolicy
}

/** @param boundVersion the version of a reservation; else the one that was sent counts, else the product's current one */
export async function readReferences(
  sql: Sql,
  workspace: string,
  body: OfferInput,
  { key = null, boundVersion }: { key?: string | null; boundVersion?: string } = {},
): Promise<OfferReferences> {
  const [row] = await sql<Row>`/* offers.read_facts */
    select k.intent, k.package_version_id, k.fence, k.lease_until, k.free_at, k.offer_id, k.short_hash,
      p.package_id as product_package, p.current_version_id,
      v.id as version_id, v.package_id as version_package, v.schema_hash,
      c.product_id as channel_product, c.status as channel_status, a.number as policy_number, a.policy
    from (select ${workspace}::text as id) w
    left join idempotency_keys k on k.workspace_id = w.id and k.key = ${key}
    left join products p on p.workspace_id = w.id and p.id = ${body.product_id ?? null}
    left join package_versions v on v.workspace_id = w.id
      and v.id = coalesce(${boundVersion ?? body.package_version_id ?? null}, p.current_version_id)
    left join offer_channels c on c.workspace_id = w.id and c.id = ${body.offer_channel_id ?? null}
    left join channel_policies a on a.offer_channel_id = c.id and a.number = c.active_policy`
  if (!row) throw new Error('a select without a condition returned no row')
  const { product_package, version_id, channel_product } = row
  return {
    key: row.intent === null ? undefined : row,
    product: product_package
      ? { package_id: product_package, current_version_id: row.current_version_id }
      : undefined,
    version: version_id
      ? {
          id: version_id,
          workspace_id: workspace,
          package_id: row.version_package,
          schema_hash: row.schema_hash,
        }
      : undefined,
    channel: channel_product
      ? {
          product_id: channel_product,
          status: row.channel_status,
          active: row.policy_number ? { number: row.policy_number, policy: row.policy } : undefined,
        }
      : undefined,
  }
}
