import type { Sql } from '@svc/runtime/database'

const atOnce = 100

/** Any number of replicas may run it. @param at Unix seconds. @returns how many became messages */
export async function queueDigests(sql: Sql, at: number): Promise<number> {
  const queued = await sql`/* auth_tokens.queue_digests */
    with due as materialized (
      select user_id, workspace_id, notice from mail_digests where due_at <= to_timestamp(${at})
      order by due_at limit ${atOnce} for update skip locked
    ), ended as (
      delete from mail_digests d using due
      where d.user_id = due.user_id and d.workspace_id = due.workspace_id and d.notice = due.notice
      returning d.*
    )
    insert into messages (id, kind, email, workspace_id, notice, details, created_at, next_at)
    select 'msg_' || md5(concat_ws(' ', e.user_id, e.workspace_id, e.notice, e.due_at)), 'digest', u.email,
      nullif(e.workspace_id, ''), e.notice, json_build_object('count', e.count, 'items', e.items),
      to_timestamp(${at}), to_timestamp(${at})
    from ended e join users u on u.id = e.user_id
    returning id`
  return queued.length
}
