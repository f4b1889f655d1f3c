/** All changes of a workspace's members take turns at its row: each is judged by what the ones before it have left. */
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const lockedWorkspace = (id: string): Fragment => fragment`
  workspace as materialized (select id from workspaces where id = ${id} for no key update)`
