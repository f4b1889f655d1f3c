create or replace trigger quota after insert on memberships
for each row execute function hold_quota('members', 'workspace_id');
create or replace trigger quota after insert on invitations
for each row execute function hold_quota('invitations', 'workspace_id');
create or replace trigger quota after insert on api_tokens
for each row when (new.ci_trust_id is null) execute function hold_quota('api_tokens', 'workspace_id');
create or replace trigger ci_quota after insert on api_tokens
for each row when (new.ci_trust_id is not null) execute function hold_quota('ci_tokens', 'workspace_id');
create or replace trigger quota after insert on ci_trusts
for each row execute function hold_quota('ci_trusts', 'workspace_id');

create or replace trigger end_tokens_of_trust before delete on ci_trusts
for each row execute function end_tokens_of_trust();

create or replace trigger end_tokens_of_creator after delete on memberships
for each row execute function end_tokens_of_creator();

create or replace trigger end_invitations_of_inviter after delete or update of role on memberships
for each row execute function end_invitations_of_inviter();

create or replace trigger deleted before insert on memberships for each row execute function skip_deleted();
create or replace trigger deleted before insert on invitations for each row execute function skip_deleted();
create or replace trigger deleted before insert on api_tokens for each row execute function skip_deleted();
create or replace trigger deleted before insert on ci_trusts for each row execute function skip_deleted();
create or replace trigger deleted before insert on ci_attempts for each row execute function skip_deleted();
