import type { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * Puts a linear `uniqueItems` in the place of ajv's, which compares every item with every other: a list of
 * 100,000 items would let whoever sends a value stop a well-meant schema.
 */
export function useLinearUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    compile: (wanted: boolean) => (wanted ? isUnique : () => true),
  })
}

/** Whether no two items are equal as JSON values: 1.0 is 1, and the order of keys does not count. */
export function isUnique(items: unknown[]): boolean {
  return new Set(items.map(canonical)).size === items.length
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
