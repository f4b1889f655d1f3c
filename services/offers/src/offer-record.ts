/** The row of an offer, as one JSON object: every statement that writes one takes it whole. */
import type { ScopedCaller } from '@svc/contract/caller'
import type { OfferInput } from '@svc/contract/offer-input'
import { newId, newShortHash } from '@svc/runtime/id'
import type { Facts } from './facts.ts'
import { normaliseEmails } from './intent.ts'
import type { Terms } from './resolve-terms.ts'

export interface OfferRecord {
  readonly id: string
  readonly short_hash: string
  readonly workspace_id: string
  readonly package_version_id: string
  readonly [column: string]: unknown
}

/** Columns by name; a property that was not sent is absent, and its column null. */
export function offerRecord(
  body: OfferInput,
  caller: ScopedCaller,
  { version, channel }: Facts,
  terms: Terms,
  now: number,
): OfferRecord {
  const { workspace, ...principal } = caller
  return {
    ...body,
    id: newId('offer'),
    short_hash: newShortHash(),
    workspace_id: workspace,
    package_version_id: version?.id ?? '',
    policy_number: channel?.active?.number,
    allowed_emails: normaliseEmails(body.allowed_emails),
    field_values: body.field_values ?? {},
    terms,
    created_by: principal,
    created_at: new Date(now).toISOString(),
  }
}
