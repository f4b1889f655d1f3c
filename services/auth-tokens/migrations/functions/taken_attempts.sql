-- Which attempts of a bucket were taken: the same for as long as no other one is. Volatile, so that it sees what was committed while
-- its caller waited.
create or replace function taken_attempts(bucket_name text) returns text language plpgsql volatile as $$
begin
  return (select a.times::text from attempts a where a.bucket = bucket_name);
end $$;
