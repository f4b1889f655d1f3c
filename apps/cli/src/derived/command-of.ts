import { referenceOf } from '@svc/contract/openapi/reference'
import type { CommandSurface } from '@svc/contract/openapi/surface'
import type { NamedOperation } from '@svc/contract/services'

/** Its name in `svc`, and what else is said of it; undefined where `svc` has none. */
export function commandOf(named: NamedOperation): CommandSurface | undefined {
  if (!named.operation.http) return undefined
  const { command } = referenceOf(named)
  if (typeof command === 'string') return { name: command }
  return 'name' in command ? command : undefined
}
