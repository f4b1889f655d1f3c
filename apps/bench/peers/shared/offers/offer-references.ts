/** What an offer refers to: product, version, channel with its active policy, by one statement. */
import type { ISql } from 'postgres'
import type { Caller } from '../caller.ts'
import { type Problem, unprocessable } from '../refusal.ts'
import type { OfferInput } from './offer-input.ts'
import type { Policy } from './terms.ts'

export interface OfferReferences {
  product_package: string | null
  version_id: string | null
  version_package: string | null
  /** From here on only where the body has field values or a channel. */
  schema_hash?: string
  input_schema?: string
  channel_product?: string | null
  channel_status?: 'active' | 'inactive' | null
  policy_number?: number | null
  policy?: Policy | null
}

export async function readReferences(
  sql: ISql,
  { workspace }: Caller,
  body: OfferInput,
): Promise<OfferReferences> {
  const { product_id = null, package_version_id = null, offer_channel_id = null } = body
  if (!offer_channel_id && !body.field_values) {
    const [facts] = await sql<[OfferReferences]>`
      select p.package_id as product_package, v.id as version_id, v.package_id as version_package
      from (select ${workspace}::text as id) w
      left join offers.products p on p.workspace_id = w.id and p.id = ${product_id}
      left join offers.package_versions v on v.workspace_id = w.id
        and v.id = coalesce(${package_version_id}, p.current_version_id)`
    return facts
  }
  const [facts] = await sql<[OfferReferences]>`
    select p.package_id as product_package,
      v.id as version_id, v.package_id as version_package, v.schema_hash, v.input_schema,
      c.product_id as channel_product, c.status as channel_status, a.number as policy_number, a.policy
    from (select ${workspace}::text as id) w
    left join offers.products p on p.workspace_id = w.id and p.id = ${product_id}
    left join offers.package_versions v on v.workspace_id = w.id
      and v.id = coalesce(${package_version_id}, p.current_version_id)
    left join offers.offer_channels c on c.workspace_id = w.id and c.id = ${offer_channel_id}
    left join offers.channel_policies a on a.offer_channel_id = c.id and a.number = c.active_policy`
  return facts
}

/** Rules 4, 5 and 8: what the body refers to exists in this workspace and belongs together. */
export function referenceProblems(body: OfferInput, facts: OfferReferences): Problem[] {
  const { product_package, version_id, version_package, channel_product, policy } = facts
  const problems: Problem[] = []
  const refuse = (field: string, message: string) => problems.push(unprocessable(field, message))
  const unknown = 'names nothing in this workspace'
  if (body.product_id && !product_package) refuse('product_id', unknown)
  if (body.package_version_id) {
    if (!version_id) refuse('package_version_id', unknown)
    else if (product_package && version_package !== product_package) {
      refuse('package_version_id', "does not belong to the product's package")
    }
  } else if (product_package && !version_id) refuse('product_id', 'has no current package version')
  if (body.offer_channel_id) {
    if (!channel_product) refuse('offer_channel_id', unknown)
    else if (channel_product !== body.product_id) refuse('offer_channel_id', 'belongs to another product')
    else if (facts.channel_status !== 'active' || !policy) refuse('offer_channel_id', 'is not active')
  }
  return problems
}
