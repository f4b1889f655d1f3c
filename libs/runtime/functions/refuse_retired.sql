-- A trigger's: after the insertion, which waits for a deletion that is under way. Only then is its id here to be seen.
create or replace function refuse_retired() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from retired_ids r where r.id = new.id) then
    raise exception 'the id % is retired', new.id using errcode = 'SV001';
  end if;
  return null;
end $$;
