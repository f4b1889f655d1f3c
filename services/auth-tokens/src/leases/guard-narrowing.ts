/** Ensures that no operation that narrows forgets its recall. */
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers, Operation } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

type AnyHandler = (input: unknown, caller: unknown, deps: Deps) => Promise<unknown>

/**
 * Operations marked `narrows` succeed only if they have recalled something, or stated that there is nothing to
 * recall.
 */
export function guardNarrowing(
  handlers: Handlers<typeof authTokens, Deps>,
): Handlers<typeof authTokens, Deps> {
  const guarded = Object.entries<Operation>(authTokens.operations).map(([name, { narrows }]) => {
    const handler = handlers[name as keyof typeof handlers] as unknown as AnyHandler
    return [name, narrows ? recalling(name, handler) : handler]
  })
  return Object.fromEntries(guarded) as Handlers<typeof authTokens, Deps>
}

function recalling(name: string, handler: AnyHandler): AnyHandler {
  return async (input, caller, deps) => {
    const reply = await handler(input, caller, deps)
    if (!deps.hasRecalled()) throw new Error(`${name} narrows, but has recalled nothing.`)
    return reply
  }
}
