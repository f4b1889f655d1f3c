-- An order as both sides see it.
create or replace function order_view(wanted text, now_ms bigint) returns jsonb
language sql stable set search_path from current as $$
  select jsonb_build_object(
    'id', o.id, 'reference', order_reference(o.id), 'name', coalesce(p.name, k.name), 'state', s.now_state,
    'offer_id', f.id, 'short_hash', f.short_hash,
    'product_id', f.product_id, 'package_version_id', f.package_version_id,
    'seller_workspace_id', o.workspace_id, 'workspace_id', o.customer_workspace_id,
    'ordered_by', jsonb_build_object('id', o.holder, 'email', o.email),
    'terms', whole_terms(f.terms), 'field_values', o.field_values, 'cluster_id', o.cluster_id,
    'checkout', order_checkout(o.id, o.checkout_provider),
    'reason', order_reason(o.state, o.reason, s.now_state), 'install_id', i.id,
    'expires_at', floor(o.expires_at / 1000.0)::bigint,
    'created_at', unix_seconds(o.created_at),
    'updated_at', unix_seconds(o.updated_at)
  )
  from orders o join offers f on f.id = o.offer_id left join installs i on i.order_id = o.id
  left join products p on p.id = f.product_id
  join package_versions v on v.id = f.package_version_id join packages k on k.id = v.package_id
  cross join lateral (select order_state(o, now_ms) as now_state) s
  where o.id = wanted
$$;
