-- Up Migration

-- Networks, as SHA-256, from which a person has signed in: requests from there may spend the reserve of their mail.
create table known_networks (
  user_id text not null references users,
  network text not null,
  seen_at timestamptz not null,
  primary key (user_id, network)
);
create index on known_networks (seen_at);

-- Takes one attempt of every bucket or of none, each within a span of its own: 0, or the seconds until there is one.
create function take_attempts(buckets text[], most bigint[], spans_seconds bigint[], at timestamptz)
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

-- Down Migration
drop function take_attempts(text[], bigint[], bigint[], timestamptz);
drop table known_networks;
