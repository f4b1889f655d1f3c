export type Schema = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Properties that every object has: in form data they would be taken for values. */
export const isReservedName = (name: string): boolean => name === '' || name in Object.prototype

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

export const isScalar = (value: unknown): boolean => !['array', 'object'].includes(typeOf(value))

export function hasLongString(value: unknown, length: number): boolean {
  if (typeof value === 'string') return value.length > length
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(inside => hasLongString(inside, length))
}
