-- Takes one attempt of every bucket or of none, each within a span of its own: 0, or the seconds until there is one.
create or replace function take_attempts(buckets text[], most bigint[], spans_seconds bigint[], at timestamptz)
returns int language plpgsql volatile as $$
declare
  seconds int;
begin
  for ordinal in 1 .. cardinality(buckets) loop
    seconds := take_attempt(buckets[ordinal], most[ordinal], make_interval(secs => spans_seconds[ordinal]), at);
    if seconds > 0 then
      for taken in 1 .. ordinal - 1 loop
        perform return_attempt(buckets[taken], at);
      end loop;
      return seconds;
    end if;
  end loop;
  return 0;
end $$;

-- The same with one span for all.
create or replace function take_attempts(buckets text[], most bigint[], span interval, at timestamptz)
returns int language sql volatile as $$
  select take_attempts(buckets, most, array_fill(extract(epoch from span)::bigint, array[cardinality(buckets)]), at)
$$;
