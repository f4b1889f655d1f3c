-- Takes one of `most` attempts within any `span`: 0, or the seconds until the next one is free. The row is locked, so
-- of any number at once no more than `most` get through.
create or replace function take_attempt(bucket_name text, most bigint, span interval, at timestamptz)
returns int language plpgsql volatile as $$
declare
  recent timestamptz[];
begin
  insert into attempts as a (bucket, times, touched_at) values (bucket_name, '{}', at)
  on conflict (bucket) do update set touched_at = greatest(a.touched_at, excluded.touched_at)
  returning array(select t from unnest(a.times) t where t > at - span order by t) into recent;
  if cardinality(recent) >= most then
    return greatest(1, ceil(extract(epoch from recent[cardinality(recent) - most + 1] + span - at)));
  end if;
  update attempts set times = recent || at where bucket = bucket_name;
  return 0;
end $$;
