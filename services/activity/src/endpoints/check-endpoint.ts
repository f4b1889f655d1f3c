import { entryOf, envelopeError, type ErrorEntry } from '@svc/contract/core/errors'
import { similarName } from '@svc/contract/core/similar-name'
import { webhookTypes, wildcardOf } from '@svc/contract/activity/webhook-types'
import { checkTarget, type TargetRules } from '@svc/outbound/check-target'

const offered = new Set([...webhookTypes, ...webhookTypes.map(wildcardOf)])

/** A request may name a hundred, and each comparison costs. */
const maxCompared = 10

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
    const meant = wrong.length < maxCompared && similarName(type, [...offered])
    const message = `Webhooks get no events of the type ${type}${meant ? `. Did you mean ${meant}?` : ': the guide to events lists the types.'}`
    wrong.push(entryOf('unknown_reference', { path: ['event_types', String(at)], message }))
  }
  if (wrong.length > 0) throw envelopeError('Unprocessable', wrong)
}
