-- What offers are pinned to does not change.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is immutable', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
