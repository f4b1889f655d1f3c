-- Of what can be corrected: neither orders nor the revocation change it.
create or replace function offer_etag(o offers) returns text language sql stable as $$
  select translate(left(encode(sha256(convert_to(jsonb_build_array(
    o.allowed_emails, o.customer, o.internal_note, o.notes, o.expires_at, o.max_uses
  )::text, 'UTF8')), 'base64'), 24), '+/', '-_')
$$;
