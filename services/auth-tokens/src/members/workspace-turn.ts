/** Serialises all changes of a workspace's members by locking its row: each sees the results of earlier ones. */
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const lockedWorkspace = (id: string): Fragment => fragment`
  workspace as materialized (select id from workspaces where id = ${id} for no key update)`
