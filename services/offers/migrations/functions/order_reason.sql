-- Why it is in that state, where somebody said so.
create or replace function order_reason(written_state text, written_reason text, now_state text) returns text
language sql immutable as $$
  select case when written_state <> now_state and now_state = 'cancelled' then 'The offer was revoked.' else written_reason end
$$;
