-- What was deleted is not created anew under its id.
create or replace trigger retired after insert on clusters for each row execute function refuse_retired();

create or replace trigger quota after insert on clusters
for each row execute function hold_quota('clusters', 'workspace_id');
