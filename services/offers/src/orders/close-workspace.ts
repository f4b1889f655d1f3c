import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

const hourMs = 3_600_000

/** Called by auth-tokens, before it deletes a workspace and after: what died in between reopens by itself. */
export const closeWorkspace: Handler<typeof offers.operations.close_workspace, Deps> = async (
  { body: { is_deleted } },
  { workspace },
  { sql, now },
) => {
  const until = is_deleted ? Number.MAX_SAFE_INTEGER : now() + hourMs
  const [found] = await sql<{ install: string | null; order: string | null }>`/* offers.close_workspace */
    select used_install as install, used_order as order from close_workspace(${workspace}, ${until}, ${is_deleted})`
  const uses = Object.entries(found ?? {}).filter(([, id]) => id !== null)
  return { body: { used_by: Object.fromEntries(uses) as Record<string, string> } }
}
