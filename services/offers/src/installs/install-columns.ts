import { fragment } from '@svc/runtime/sql-fragment'

/** Expects a table, or a function's result, under the alias `i`; `now` in Unix milliseconds. */
export const installColumns = (now: number) => fragment`
  i.id, i.state, i.customer_workspace_id as workspace_id, i.workspace_id as seller_workspace_id, i.offer_id, i.order_id,
  i.product_id, i.package_version_id, (select v.version from package_versions v where v.id = i.package_version_id) as version,
  i.cluster_id, i.field_values, (select subscription_view(s, ${now}) from subscriptions s where s.install_id = i.id) as subscription,
  unix_seconds(i.created_at) as created_at, unix_seconds(i.removed_at) as removed_at`
