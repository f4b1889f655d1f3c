/**
 * Fields of a form, as data. From them follow the input, the value that is sent, and the `curl` and `svc` lines
 * that do the same, which the browser updates while typing: nothing here may need Node.js.
 */
import { lostNumber } from '@svc/contract/core/json-numbers'
import type { z } from 'zod'
import { jsonProblem } from './json-place.ts'
import { amountOf, noAmount } from './money.ts'

export type FieldKind =
  | 'text'
  | 'email'
  | 'url'
  | 'number'
  | 'lines'
  | 'textarea'
  | 'select'
  | 'check'
  | 'checks'
  | 'radio'
  | 'moment'
  | 'json'
  | 'money'
  | 'decimal'
  | 'yes-no'
  | 'secret'
  | 'number-of'
  | 'value-of'
  | 'texts'

export interface FieldSpec {
  readonly name: string
  readonly label: string
  readonly kind?: FieldKind
  readonly hint?: string
  readonly isOptional?: boolean
  /** Its place in the body: `policy.approval`. By default the name. Null: none, the page reads it itself. */
  readonly at?: string | readonly string[] | null
  /** Names of inputs, one of which has to be filled in. */
  readonly onlyWith?: string | readonly string[]
  /** Another field, and the values of it with which this one is asked. */
  readonly when?: readonly [name: string, values: readonly string[]]
  /** Sent instead of what was typed. */
  readonly sends?: string
  readonly flag?: string
  readonly isArgument?: boolean
  readonly isFile?: boolean
  readonly flagKey?: string
  readonly otherFlag?: { readonly while: string; readonly flag: string }
  readonly words?: Readonly<Record<string, string>>
  readonly emptyFlag?: string
  /** `more`: a hint, of a kind `radio`; the group, with a filter over all, of a kind `checks`. */
  readonly choices?: readonly (readonly [value: string, label: string, more?: string])[]
  readonly isSecret?: boolean
  /** The value of an empty field; by default it is omitted. */
  readonly empty?: null | '' | readonly []
  readonly min?: number
  readonly max?: number
  readonly rows?: number
  readonly placeholder?: string
  readonly autocomplete?: string
  readonly input?: Readonly<Record<string, string | number>>
  readonly schema?: z.ZodType
  readonly otherwise?: (sent: string) => string
}

export type FieldValues = Readonly<Record<string, string>>

/** The typed text is not a value of its kind; the message says why. */
export class FieldProblem extends Error {}

/** Kinds in which leading and trailing spaces may matter. */
const exact: ReadonlySet<FieldKind> = new Set(['textarea', 'json', 'secret', 'select'])

/** @returns undefined if there is nothing to send */
export function sentValue(spec: FieldSpec, values: FieldValues): unknown {
  const { name, kind = 'text', empty } = spec
  if (!isAsked(spec, values)) return undefined
  if (spec.sends) return spec.sends
  if (spec.onlyWith && ![spec.onlyWith].flat().some(other => isFilled(values[other]))) return undefined
  if (kind === 'check') return values[name] === 'on'
  if (kind === 'checks') {
    const chosen = chosenOf(spec, values)
    if (chosen.length === 0) return empty ?? (spec.isOptional ? undefined : [])
    return chosen
  }
  const text = (values[name] ?? '').replace(/\r\n/g, '\n')
  const typed = exact.has(kind) ? text : text.trim()
  if (typed.trim() === '') return empty
  switch (kind) {
    case 'number':
    case 'number-of':
      if (!/^-?\d{1,15}$/.test(typed)) throw new FieldProblem('Enter a whole number.')
      return Number(typed)
    case 'decimal':
      if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(typed)) throw new FieldProblem('Enter a number, for example 2.5.')
      return kept(typed, Number(typed))
    case 'yes-no':
      return typed === 'true'
    case 'money':
      return amountOf(typed) ?? fail(noAmount)
    case 'moment':
      return secondsOf(typed)
    case 'lines':
      return linesOf(typed, /[\n,;]+/)
    case 'texts':
      return linesOf(typed, /\n+/)
    case 'value-of':
    case 'json':
      return parsed(typed)
    default:
      return typed
  }
}

/** Values of the boxes that are ticked, of a field of the kind `checks`. */
export const chosenOf = ({ name, choices = [] }: FieldSpec, values: FieldValues): string[] =>
  choices.map(([value]) => value).filter(value => values[`${name}.${value}`] === 'on')

const isAsked = ({ when: [name, wanted] = ['', []] }: FieldSpec, values: FieldValues): boolean =>
  name === '' || wanted.includes(values[name] ?? '')

/** Names of its inputs. */
export const namesOf = ({ name, kind, choices = [] }: FieldSpec): string[] =>
  kind === 'checks' ? choices.map(([value]) => `${name}.${value}`) : [name]

export const isFilled = (text = ''): boolean => text.trim() !== ''

const linesOf = (typed: string, end: RegExp): string[] =>
  typed
    .split(end)
    .map(line => line.trim())
    .filter(line => line !== '')

function fail(message: string): never {
  throw new FieldProblem(message)
}

function secondsOf(typed: string): number {
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/.test(typed)
    ? Date.parse(`${typed.replace(' ', 'T')}Z`)
    : Number.NaN
  if (Number.isNaN(at)) throw new FieldProblem('Enter a date and time in UTC, for example 2027-01-31 12:00.')
  return Math.floor(at / 1000)
}

function parsed(typed: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(typed)
  } catch {
    throw new FieldProblem(jsonProblem(typed))
  }
  return kept(typed, value)
}

function kept<Value>(typed: string, value: Value): Value {
  const lost = lostNumber(typed)
  if (lost) throw new FieldProblem(`${lost.path.join('.') || 'This'} ${lost.problem}.`)
  return value
}

export const pathOf = ({ name, at }: FieldSpec): string[] | undefined =>
  at === null ? undefined : typeof at === 'object' ? [...at] : (at ?? name).split('.')

export interface Filled {
  readonly body: Readonly<Record<string, unknown>>
  readonly problems: Readonly<Record<string, string>>
}

export function fill(specs: readonly FieldSpec[], values: FieldValues, fixed: object = {}): Filled {
  const body: Record<string, unknown> = Object.assign(empty(), structuredClone(fixed))
  const problems: Record<string, string> = {}
  for (const spec of specs.filter(spec => isAsked(spec, values))) {
    try {
      const value = sentValue(spec, values)
      if (spec.schema && !spec.schema.safeParse(value ?? '').success)
        throw new FieldProblem(spec.otherwise?.(String(value ?? '')))
      const path = pathOf(spec)
      if (value !== undefined && path) put(body, path, value)
      if (value === undefined && !spec.isOptional && !spec.onlyWith) problems[spec.name] = missing(spec)
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      problems[spec.name] = error.message
    }
  }
  return { body, problems }
}

const missing = ({ kind, label }: FieldSpec): string =>
  kind === 'select' || kind === 'radio' || kind === 'number-of' || kind === 'value-of'
    ? `Select an option for “${label}”.`
    : `${label} is required.`

/** Names may be any text, including `__proto__`. */
const empty = (): Record<string, unknown> => Object.create(null)

function put(body: Record<string, unknown>, path: readonly string[], value: unknown) {
  const last = path.at(-1) ?? ''
  let into = body
  for (const name of path.slice(0, -1)) {
    into[name] ??= empty()
    into = into[name] as Record<string, unknown>
  }
  into[last] = value
}
