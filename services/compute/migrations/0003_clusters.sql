-- Up Migration
-- Of clusters that were there before, the last change is what is known.
alter table clusters add created_at timestamptz;
update clusters set created_at = updated_at;
alter table clusters alter created_at set default now(), alter created_at set not null;

-- What was deleted is not created anew under its id: offers has closed it to orders for ever, and asks for its removal once
-- more where a deletion died.
create table retired_ids (
  id text primary key
);

-- After the insertion, which waits for a deletion that is under way: only then is its id here to be seen.
create function refuse_retired() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from retired_ids r where r.id = new.id) then
    raise exception 'the id % is retired', new.id using errcode = 'SV001';
  end if;
  return null;
end $$;
create trigger retired after insert on clusters for each row execute function refuse_retired();

-- Down Migration
drop trigger retired on clusters;
drop function refuse_retired;
drop table retired_ids;
alter table clusters drop created_at;
