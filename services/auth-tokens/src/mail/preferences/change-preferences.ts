import type { Attribution } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import { byJson, manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

interface Change {
  readonly workspace: string
  readonly person: string
  readonly muted: readonly string[]
  readonly unmuted: readonly string[]
}

interface Changed {
  readonly muted: string[]
  readonly changed: boolean
  readonly workspace_name: string
}

const attributions = {
  caller: (by: Attribution): Fragment => byJson(by),
  link: (by: Attribution): Fragment => fragment`by_person(${byJson(by)}, user_id, email, null)`,
}

/**
 * The membership's row is locked, so that events are in the order of the changes. A repeated change has no event.
 *
 * @returns undefined if the person is not a member
 */
export async function changePreferences(
  sql: Sql,
  { workspace, person, muted, unmuted }: Change,
  by: Attribution,
  through: keyof typeof attributions,
): Promise<Changed | undefined> {
  const [changed] = await sql<Changed>`/* auth_tokens.change_mail_preferences */
    with member as materialized (
      select m.user_id, m.workspace_id, u.email, w.name
      from memberships m join users u on u.id = m.user_id join workspaces w on w.id = m.workspace_id
      where m.workspace_id = ${workspace} and m.user_id = ${person}
      for no key update of m
    ), muted as (
      insert into muted_notices (user_id, workspace_id, notice)
      select user_id, workspace_id, notice from member, unnest(${muted}::text[]) notice
      on conflict do nothing
      returning notice
    ), unmuted as (
      delete from muted_notices p using member m
      where p.user_id = m.user_id and p.workspace_id = m.workspace_id and p.notice = any (${unmuted}::text[])
      returning notice
    ), changes as materialized (
      select json_object_agg(notice, json_build_object('before', was, 'after', not was)) as changes, count(*) > 0 as any
      from (select notice, true as was from muted union all select notice, false from unmuted) both_ways
    ), event as (
      ${manyIntoOutbox(attributions[through](by), fragment`changes`)}
      workspace_id || '/' || user_id, 'events.mail_preferences.updated',
        json_build_object('workspace_id', workspace_id, 'user_id', user_id)
      from member, changes where changes.any
    )
    select name as workspace_name, c.any as changed, array(
      select notice from muted_notices p
      where p.user_id = m.user_id and p.workspace_id = m.workspace_id and p.notice <> all (${unmuted}::text[])
      union select unnest(${muted}::text[])
    ) as muted
    from member m, changes c`
  return changed
}
