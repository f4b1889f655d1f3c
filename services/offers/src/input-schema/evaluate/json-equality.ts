import { _, type Ajv2020 } from 'ajv/dist/2020.js'
import type { Evaluation } from './evaluation.ts'

/**
 * Replaces ajv's `const`, `enum` and `uniqueItems` by versions that compare JSON text. ajv's call `valueOf` of the
 * value, consider an object with a key `constructor` unequal to itself, and compare every item of a list with every
 * other, so a list of 100,000 items would defeat even a harmless schema.
 */
export function useJsonEquality(ajv: Ajv2020, evaluation: Evaluation): void {
  const isOneOf = (allowed: unknown[]) => {
    const texts = new Set(allowed.map(value => canonical(value, evaluation)))
    return (value: unknown) => texts.has(canonical(value, evaluation))
  }
  const isUnique = (items: unknown[]) =>
    new Set(items.map(item => canonical(item, evaluation))).size === items.length
  for (const keyword of ['const', 'enum', 'uniqueItems']) ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword: 'const',
    errors: false,
    error: { message: '', params: ({ schemaCode }) => _`{ allowedValue: ${schemaCode} }` },
    compile: (allowed: unknown) => isOneOf([allowed]),
  })
  ajv.addKeyword({
    keyword: 'enum',
    errors: false,
    schemaType: 'array',
    error: { message: '', params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }` },
    compile: isOneOf,
  })
  ajv.addKeyword({
    keyword: 'uniqueItems',
    errors: false,
    type: 'array',
    schemaType: 'boolean',
    compile: (wanted: boolean) => (wanted ? isUnique : () => true),
  })
}

/** The same text for values that are equal as JSON: 1.0 is 1, and the order of keys does not matter. */
function canonical(value: unknown, evaluation: Evaluation): string {
  evaluation.spend(1)
  evaluation.spendOn(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(item => canonical(item, evaluation)).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, evaluation)}`).join()}}`
}
