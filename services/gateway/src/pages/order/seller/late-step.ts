/** What somebody reads whose step came after the order had changed. */
import { fromNow } from '../../shared/moment.tsx'
import type { Entry } from './history.tsx'
import { type StepName, steps } from './steps.ts'

export function lateText(step: StepName, entries: readonly Entry[], now: number): string {
  const last = entries.findLast(({ state }) => state)
  const { label } = steps[step]
  const nothing = `Nothing was changed: “${label}” came too late.`
  if (!last) return nothing
  const by = last.isOwn ? ' by you' : last.by ? ` by ${last.by}` : ''
  return `${nothing} What happened before: ${last.text}${by}, ${fromNow(last.at - now)}.`
}
