import { entryOf, envelopeError, type ErrorEntry } from '@svc/contract/core/errors'
import { auditTypes, type EventType, events } from '@svc/contract/events'
import { checkTarget, type TargetRules } from '@svc/outbound/check-target'

const offeredTypes = (Object.keys(events) as EventType[]).filter(
  type => 'workspace_id' in events[type].shape && !auditTypes.includes(type),
)
const offered = new Set([...offeredTypes, ...offeredTypes.map(type => `${type.split('.')[0]}.*`)])

interface Fields {
  readonly url?: string | undefined
  readonly event_types?: readonly string[] | undefined
}

/** @throws ApiError `Unprocessable` that names each invalid field */
export function checkEndpoint({ url, event_types = [] }: Fields, targets: TargetRules): void {
  const problem = url === undefined ? undefined : checkTarget(url, targets)
  const wrong: ErrorEntry[] = problem ? [entryOf('url_refused', { path: ['url'], message: problem })] : []
  for (const [at, type] of event_types.entries()) {
    if (offered.has(type)) continue
    const message = `Webhooks get no events of the type ${type}: the guide to events lists the types.`
    wrong.push(entryOf('unknown_reference', { path: ['event_types', String(at)], message }))
  }
  if (wrong.length > 0) throw envelopeError('Unprocessable', wrong)
}
