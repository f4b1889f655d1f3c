-- What offers are pinned to does not change. The empty update of a repeated publication is no change.
create or replace trigger immutable before update on package_versions
for each row when (old.* is distinct from new.*) execute function refuse_change();
create or replace trigger immutable before update on channel_policies
for each row execute function refuse_change();

-- What was deleted is not created anew under its id.
create or replace trigger retired after insert on packages for each row execute function refuse_retired();
create or replace trigger retired after insert on package_versions for each row execute function refuse_retired();
create or replace trigger retired after insert on products for each row execute function refuse_retired();
create or replace trigger retired after insert on offer_channels for each row execute function refuse_retired();

create or replace trigger quota after insert on packages
for each row execute function hold_quota('packages', 'workspace_id');
create or replace trigger quota after insert on package_versions
for each row execute function hold_quota('package_versions', 'workspace_id');
create or replace trigger quota after insert on products
for each row execute function hold_quota('products', 'workspace_id');
create or replace trigger quota after insert on offer_channels
for each row execute function hold_quota('offer_channels', 'workspace_id');
create or replace trigger quota after insert on channel_policies
for each row execute function hold_policy_quota();
create or replace trigger quota after insert on orders
for each row execute function hold_quota('orders_placed', 'customer_workspace_id');
create or replace trigger quota after insert on offers referencing new table as created
for each statement execute function hold_offer_quotas();

create or replace trigger checkout_ends after update of state on orders
for each row when (old.state = 'awaiting_checkout' and new.state <> 'awaiting_checkout') execute function end_checkout();
