-- Deletes a person who has proven their password, unless a workspace would be left without an owner. `outcome`: deleted; owner, with
-- those workspaces; again, where they have just joined one; refused. Workspaces first, as whoever changes members locks them, then
-- the links, as whoever follows one does.
create or replace function delete_user(
  person text, proven_hash text, at timestamptz, by json, out outcome text, out owned jsonb
) language plpgsql volatile set search_path from current as $$
declare
  locked text[] := array(select m.workspace_id from memberships m where m.user_id = person);
begin
  perform from workspaces w where w.id = any (locked) order by w.id for no key update;
  delete from verifications v using users u where u.id = person and u.password_hash = proven_hash and v.email = u.email;
  perform from users u where u.id = person and u.password_hash = proven_hash for update;
  if not found then
    outcome := 'refused';
    return;
  end if;
  if exists (select from memberships m where m.user_id = person and m.workspace_id <> all (locked)) then
    outcome := 'again';
    return;
  end if;
  select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.id) into owned
  from memberships m join workspaces w on w.id = m.workspace_id
  where m.user_id = person and m.role = 'owner' and not another_owner(m.workspace_id, person);
  if owned is not null then
    outcome := 'owner';
    return;
  end if;
  perform end_sessions(person, by);
  perform write_event(
    m.workspace_id || '/' || person, 'events.members.removed',
    jsonb_build_object('workspace_id', m.workspace_id, 'user_id', person), by, null
  ) from memberships m where m.user_id = person;
  delete from memberships m where m.user_id = person;
  perform remove_factors(person);
  delete from known_networks n where n.user_id = person;
  delete from mail_digests d where d.user_id = person;
  update users u set
    email = person || '@deleted.invalid', password_hash = null, verified_at = null, name = null, deleted_at = at
  where u.id = person;
  perform write_event(person, 'events.users.deleted', jsonb_build_object('user_id', person), by, null);
  outcome := 'deleted';
end $$;
