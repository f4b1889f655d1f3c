create or replace trigger quota after insert on webhook_endpoints
for each row execute function hold_quota('webhook_endpoints', 'workspace_id');
