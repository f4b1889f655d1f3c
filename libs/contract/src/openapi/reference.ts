import type { NamedOperation } from '../services.ts'
import type { Reference } from './operation-reference.ts'
import { references } from './references.ts'
import type { CommandSurface } from './surface.ts'

const made = new Map<string, Reference>()

/** @throws Error if the operation has no route */
export function referenceOf({ service, name }: Pick<NamedOperation, 'service' | 'name'>): Reference {
  const key = `${service}.${name}`
  const known = made.get(key)
  if (known) return known
  const all: Readonly<Record<string, Readonly<Record<string, () => Reference>>>> = references
  const found = all[service]?.[name]?.()
  if (!found) throw new Error(`${key} has no file of its own with a reference: npm run generate`)
  made.set(key, found)
  return found
}

/** Undefined if `svc` has none. */
export function commandOf(named: NamedOperation): CommandSurface | undefined {
  if (!named.operation.http) return undefined
  const { command } = referenceOf(named)
  if (typeof command === 'string') return { name: command }
  return 'name' in command ? command : undefined
}
