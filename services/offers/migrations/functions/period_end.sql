-- The first boundary after `after` of the periods that are counted from the first payment, in UTC: from 31 January monthly to 28
-- February and 31 March. Unix seconds.
create or replace function period_end(first_paid_at bigint, price_interval text, after bigint) returns bigint
language sql stable as $$
  select min(boundary) from (
    select to_timestamp(first_paid_at) at time zone 'UTC' as start, case price_interval when 'year' then 12 else 1 end as months
  ) f, lateral (
    select greatest(0, (12 * extract(year from age(to_timestamp(after) at time zone 'UTC', f.start))
      + extract(month from age(to_timestamp(after) at time zone 'UTC', f.start)))::integer / f.months) as passed
  ) p, lateral (
    select extract(epoch from (f.start + make_interval(months => n * f.months)) at time zone 'UTC')::bigint as boundary
    from generate_series(greatest(1, p.passed - 1), p.passed + 2) n
  ) b
  where boundary > after
$$;
