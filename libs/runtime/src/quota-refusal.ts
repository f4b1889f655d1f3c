/** Turns the errors of the triggers that enforce quotas into refusals. */
import { refusal } from '@svc/contract/core/errors'
import { type Quota, quotas } from '@svc/contract/core/quotas'

/** The SQLSTATE of those triggers; the detail has the quota and its number as JSON. */
export const quotaExceeded = 'SV002'

export function quotaRefusal(detail: string | undefined) {
  const { quota, most } = JSON.parse(detail ?? '{}') as { quota: keyof typeof quotas; most: number }
  const { counts, kept }: Quota = quotas[quota]
  const room = kept
    ? 'Ask the operator to raise it.'
    : 'Delete what you no longer need, or ask the operator to raise it.'
  return refusal('quota_exceeded', {
    message: `The quota ${quota} is used up: ${most} ${counts}. ${room}`,
    metadata: { quota, most: String(most) },
  })
}
