import type { Cli } from './cli.ts'
import { UsageError } from './failure.ts'

/**
 * For operations that have the workspace in their path.
 *
 * @throws UsageError if none is named
 */
export async function inWorkspace(cli: Cli) {
  const { unscoped, workspace } = await cli.connect()
  if (workspace === undefined) {
    throw new UsageError('Name the workspace: svc workspace use, --workspace or SVC_WORKSPACE.')
  }
  return { operations: unscoped['auth-tokens'], params: { id: workspace } }
}
