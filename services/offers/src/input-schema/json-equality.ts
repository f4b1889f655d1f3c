import { _, type Ajv2020 } from 'ajv/dist/2020.js'

/**
 * Puts `const`, `enum` and `uniqueItems` that compare JSON text in the place of ajv's. Those call `valueOf` of
 * what was sent, take an object with a key `constructor` for different from itself, and compare every item of a
 * list with every other, so that a list of 100,000 items would stop a well-meant schema.
 */
export function useJsonEquality(ajv: Ajv2020): void {
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

function isOneOf(allowed: unknown[]): (value: unknown) => boolean {
  const texts = new Set(allowed.map(canonical))
  return value => texts.has(canonical(value))
}

function isUnique(items: unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length
}

/** The same text for what is equal as JSON: 1.0 is 1, and the order of keys does not count. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
