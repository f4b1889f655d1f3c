-- Up Migration

-- SHA-256 of what the install itself reads its values with.
alter table installs add credential_hash text check (credential_hash ~ '^[0-9a-f]{64}$');

-- Down Migration
alter table installs drop credential_hash;
