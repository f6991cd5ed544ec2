-- The postgres image runs this once, as superuser, for a new data directory. It creates the owner of the database and the
-- role of the server, whose permissions the migrate service grants (prisma/grants.sql).
\set owner_password `cat /secrets/owner-password`
\set server_password `cat /secrets/server-password`
-- May create databases, because the migrate service creates the one for trial restores of backups.
CREATE ROLE innkey_owner LOGIN CREATEDB PASSWORD :'owner_password';
CREATE ROLE innkey LOGIN PASSWORD :'server_password';
CREATE DATABASE innkey OWNER innkey_owner;
REVOKE ALL ON DATABASE innkey FROM PUBLIC;
GRANT CONNECT ON DATABASE innkey TO innkey;
