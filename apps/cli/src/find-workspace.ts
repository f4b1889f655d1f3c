import { folded } from '@svc/contract/core/folded'
import { exitCodes, Failure, UsageError } from './failure.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/**
 * Matches by id or name, otherwise ignoring case and how letters are written.
 *
 * @throws UsageError naming the ids, if several have the name
 */
export function findWorkspace<T extends Named>(all: readonly T[], named: string): T {
  const byId = all.find(({ id }) => id === named)
  const alike = all.filter(({ name }) => folded(name) === folded(named))
  const exact = alike.filter(({ name }) => name.normalize() === named.normalize())
  const [found, ...others] = byId ? [byId] : exact.length > 0 ? exact : alike
  if (!found) {
    throw new Failure(exitCodes.notFound, `You do not belong to a workspace with this id or name: ${named}`)
  }
  if (others.length === 0) return found
  const ids = [found, ...others].map(({ id }) => id)
  throw new UsageError(`Several workspaces are named ${named}. Use an id:\n${ids.join('\n')}`)
}
