-- Gives back one attempt that was taken at that time.
create or replace function return_attempt(bucket_name text, at timestamptz) returns void language sql volatile as $$
  update attempts set times = times[:array_position(times, at) - 1] || times[array_position(times, at) + 1:]
  where bucket = bucket_name and array_position(times, at) is not null
$$;
