-- Forgets all attempts of a bucket.
create or replace function forget_attempts(bucket_name text) returns void language sql volatile as $$
  update attempts set times = '{}' where bucket = bucket_name
$$;
