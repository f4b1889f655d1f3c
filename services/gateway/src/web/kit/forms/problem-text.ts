import type { ErrorEntry } from '@svc/contract/core/errors'
import { patternText } from '../offers/pattern-text.ts'
import { type FieldSpec, pathOf } from './field-spec.ts'
import { amountText } from './money.ts'

/** `max_uses must be at least 1.` → `Must be at least 1.` */
export function problemText(entry: ErrorEntry, spec: FieldSpec, fields: readonly FieldSpec[]): string {
  const accepted = acceptedText(entry, spec)
  if (accepted) return accepted
  const { path = [], message } = entry
  const { where, rest, ofSchema } = cut(message, path, pathOf(spec) ?? [])
  // A seller's schema may contain any word.
  const text = inWords(ofSchema ? rest : withLabels(rest, fields), spec)
  return where ? `${where}${text}` : text.charAt(0).toUpperCase() + text.slice(1)
}

function acceptedText(
  { metadata: { min, max, one_of } = {} }: ErrorEntry,
  { kind, choices = [] }: FieldSpec,
) {
  if (kind === 'money' && min !== undefined && max !== undefined)
    return min === max
      ? `Must be ${amountText(Number(min))}.`
      : `Must be between ${amountText(Number(min))} and ${amountText(Number(max))}.`
  if (one_of === undefined) return undefined
  const labels = new Map(choices.map(([value, label]) => [value, label]))
  return `Must be ${one_of
    .split(',')
    .map(value => labels.get(value) ?? value)
    .join(' or ')}.`
}

interface Cut {
  readonly where: string
  readonly rest: string
  readonly ofSchema: boolean
}

/** Removes the path at the beginning, `path rest` or `path: rest`, whole or as far as the message has it. */
function cut(message: string, path: readonly string[], own: readonly string[]): Cut {
  for (let length = path.length; length > 0; length--) {
    const name = path.slice(0, length).join('.')
    const separator = [': ', ' '].find(one => message.startsWith(name + one))
    if (separator === undefined) continue
    const rest = message.slice(name.length + separator.length)
    return { where: whereText(path.slice(own.length), separator), rest, ofSchema: separator === ': ' }
  }
  return { where: '', rest: message, ofSchema: false }
}

function whereText(inside: readonly string[], separator: string): string {
  const [item] = inside
  if (item === undefined) return ''
  const place = /^\d+$/.test(item) && inside.length === 1 ? `Line ${Number(item) + 1}` : inside.join(' › ')
  return place + separator
}

const withLabels = (text: string, fields: readonly FieldSpec[]): string =>
  text.replace(/\b[a-z]+(?:_[a-z]+)+\b( is false)?/g, (name, isFalse: string | undefined) => {
    const called = isFalse ? name.slice(0, -isFalse.length) : name
    const spec = fields.find(one => pathOf(one)?.at(-1) === called)
    if (!spec) return name
    if (spec.kind === 'check') return `“${spec.label}”${isFalse ? ' is not ticked' : ''}`
    return `the ${spec.label.charAt(0).toLowerCase()}${spec.label.slice(1)}${isFalse ?? ''}`
  })

function inWords(text: string, { kind }: FieldSpec): string {
  if (kind === 'checks' && text === 'must have at least 1 item.') return 'Select at least one.'
  const [, bound, limit] = (kind === 'money' && /^must be (at least|at most) (\d+)\.$/.exec(text)) || []
  if (limit !== undefined) return `must be ${bound} ${amountText(Number(limit))}.`
  const [, pattern] = /^must match the pattern (.+)\.$/.exec(text) ?? []
  if (pattern !== undefined) return `${patternText({ pattern })}.`
  // Seconds since 1970 are for programs.
  return text.replace(/; it is now \d+\.$/, '.')
}
