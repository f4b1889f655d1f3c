import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { normaliseEmails } from './create/intent.ts'
import { columnsAt, detailColumns, summaryColumns } from './offer-columns.ts'
import { type OfferRow, offerReply } from './offer-view.ts'
import { offerWords, type Searched } from '../search/scoped-words.ts'

interface CorrectedRow extends OfferRow {
  readonly outcome: 'corrected' | 'unchanged' | 'outdated' | 'too_few' | 'revoked'
  readonly least_uses: number
}

export const updateOffer: Handler<typeof offers.operations.update_offer, Deps> = async (
  { params: { id }, headers, body },
  { workspace },
  { sql, now, eventWritten, call, checkout },
) => {
  const { expires_at } = body
  if (typeof expires_at === 'number' && expires_at * 1000 <= now())
    throw refusal('time_in_past', { path: ['expires_at'], message: 'expires_at must be in the future.' })
  const { allowed_emails: emails, ...rest } = body
  const correction = {
    ...rest,
    ...(emails && { allowed_emails: normaliseEmails(emails) }),
    ...(await wordsOf(sql, workspace, id, body)),
  }
  const [row] = await sql<CorrectedRow>`/* offers.update_offer */
    select c.outcome, c.least_uses, ${summaryColumns}, ${columnsAt(now())}, ${detailColumns}
    from correct_offer(
      ${workspace}, ${id}, ${headers['if-match']}, ${JSON.stringify(correction)}::text::jsonb, ${now()}, ${byJson(call.by)}
    ) c cross join lateral unnest(array[c.offer]) o`
  if (!row) throw refusal('not_found')
  const { outcome, least_uses, ...corrected } = row
  if (outcome === 'revoked') throw refusal('offer_revoked')
  if (outcome === 'outdated') throw refusal('offer_changed', { metadata: { current_etag: corrected.etag } })
  if (outcome === 'too_few') {
    const min = `${least_uses}`
    const message = `max_uses must be at least ${min}: so many are redeemed or reserved.`
    throw refusal('uses_taken', { path: ['max_uses'], message, metadata: { min } })
  }
  if (outcome === 'corrected') eventWritten()
  return offerReply(corrected, { checkout })
}

/** The words of its texts as they are now with those that are corrected. If they have changed by then, the correction is refused. */
async function wordsOf(sql: Sql, workspace: string, id: string, body: Searched) {
  if (!('customer' in body || 'notes' in body || 'internal_note' in body)) return {}
  const [texts] = await sql<Searched>`/* offers.read_texts */
    select product_id, customer, notes, internal_note from offers where workspace_id = ${workspace} and id = ${id}`
  return texts && { words: offerWords(workspace, { ...texts, ...body }) }
}
