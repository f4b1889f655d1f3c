import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { namesReply } from '@svc/runtime/names-reply'
import type { Deps } from '../deps.ts'

export const findNames: Handler<typeof compute.operations.find_names, Deps> = async (
  { body: { ids } },
  { workspace },
  { sql },
) =>
  namesReply(
    await sql<{ id: string; name: string }>`/* compute.find_names */
      select id, name from clusters where workspace_id = ${workspace} and id = any (${ids}) and name is not null`,
  )
