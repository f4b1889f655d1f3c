/** What to do about a problem, where the message of the service says only what is wrong with a JSON value. */
import { type FieldProblem, nodeAt } from './offer-form-data.ts'
import { patternText } from './pattern-text.ts'

type Schema = Readonly<Record<string, unknown>>

export function forCustomers({ path, message }: FieldProblem, schema: Schema): FieldProblem {
  const [, name] = /^must have the property ([^,]+)$/.exec(message) ?? []
  if (name) return forCustomers({ path: [...path, name], message: 'is required' }, schema)
  const field = nodeAt(schema, path) ?? {}
  return { path, message: message === 'is required' ? missing(field, path) : instead(message, field) }
}

const tick = 'tick this box to continue'

function instead(message: string, field: Schema): string {
  if (message.startsWith('must match the pattern '))
    return field.pattern === undefined ? message : patternText(field)
  const [, least] = /^must have (\d+) or more items$/.exec(message) ?? []
  if (least) return `${isChoice(field.items) ? 'choose' : 'add'} at least ${least === '1' ? 'one' : least}`
  return texts[message] ?? message
}

function missing(field: Schema, path: readonly string[]): string {
  if (/^\d+$/.test(path.at(-1) ?? '')) return 'fill in this row, or remove it'
  if (isChoice(field)) return 'choose an option'
  const type = [field.type].flat().find(one => one !== 'null')
  if (type === 'array') return `${isChoice(field.items) ? 'choose' : 'add'} at least one`
  if (type === 'boolean') return tick
  return texts[`must be a valid ${field.format}`] ?? texts[`must be ${type}`] ?? 'fill in this field'
}

const isChoice = (field: unknown): boolean =>
  typeof field === 'object' && field !== null && ['enum', 'oneOf', 'anyOf'].some(keyword => keyword in field)

const texts: Readonly<Record<string, string>> = {
  'must be: true': tick,
  'must be one of: true': tick,
  'must be integer': 'enter a whole number, such as 12',
  'must be number': 'enter a number, such as 12.5',
  'must be a valid email': 'enter an email address, such as name@example.com',
  'must be a valid uri': 'enter a whole address, such as https://example.com',
  'must be a valid date': 'enter a whole date',
  'must be a valid date-time': 'enter a whole date and time',
}
