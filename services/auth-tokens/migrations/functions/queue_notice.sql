-- Queues mail about something that happened, once for each key, for `person`, or else for the owners of the workspace and, unless it
-- is for them alone, its admins. About one event a person gets one message, the first that is asked for. Past `most` of a kind in a day, a person gets what is left in one digest when the day is over.
create or replace function queue_notice(
  wanted_key text, wanted_notice text, workspace text, person text, owners_only boolean, facts jsonb, most bigint,
  at timestamptz
) returns int language plpgsql volatile set search_path from current as $$
declare
  recipient record;
  wait int;
  queued int := 0;
begin
  insert into requested_mail (key, created_at) values (wanted_key, at) on conflict do nothing;
  if not found then
    return 0;
  end if;
  for recipient in
    select u.id, u.email from users u
    where u.verified_at is not null and u.id is distinct from facts ->> 'member' and u.id = any (case
      when workspace is null then array[person]
      else array(
        select m.user_id from memberships m
        where m.workspace_id = workspace and case
          when person is not null then m.user_id = person
          else m.role = 'owner' or m.role = 'admin' and not owners_only
        end
      )
    end) and not exists (
      select from muted_notices p where p.user_id = u.id and p.workspace_id = workspace and p.notice = wanted_notice
    )
    order by u.id
  loop
    if facts ? 'event' then
      insert into requested_mail (key, created_at) values (facts ->> 'event' || ' ' || recipient.id, at) on conflict do nothing;
      continue when not found;
    end if;
    wait := take_attempt('notices_per_recipient_and_kind ' || recipient.id || ' ' || wanted_notice, most, interval '1 day', at);
    if wait = 0 then
      insert into messages (id, kind, email, workspace_id, notice, details, created_at, next_at) values (
        'msg_' || md5(wanted_key || recipient.id), 'notice', recipient.email, workspace, wanted_notice, facts::json, at, at
      );
      queued := queued + 1;
    else
      insert into mail_digests as d (user_id, workspace_id, notice, items, due_at) values (
        recipient.id, coalesce(workspace, ''), wanted_notice, jsonb_build_array(facts), at + make_interval(secs => wait)
      )
      on conflict (user_id, workspace_id, notice) do update set
        count = d.count + 1,
        items = case when jsonb_array_length(d.items) < 20 then d.items || excluded.items else d.items end;
    end if;
  end loop;
  return queued;
end $$;
