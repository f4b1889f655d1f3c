import { fromNow } from '../../kit/ui/moments.ts'
import type { Entry } from './history.tsx'
import { type StepName, steps } from './steps.ts'

export function lateText(step: StepName, entries: readonly Entry[], now: number): string {
  const last = entries.findLast(({ state }) => state)
  const { label } = steps[step]
  const nothing = `“${label}” wasn’t applied.`
  if (!last) return `This order has already changed. ${nothing}`
  const by = last.isOwn ? ' by you' : last.by ? ` by ${last.by}` : ''
  const text = last.text.charAt(0).toLowerCase() + last.text.slice(1)
  return `This order has already changed: ${text}${by}, ${fromNow(last.at - now)}. ${nothing}`
}
