-- Run once by the postgres image, as superuser, when its data directory is new: the owner of the database, and the role
-- that the server works with. What the latter may do is given by the migrate service (prisma/grants.sql).
\set owner_password `cat /secrets/owner-password`
\set server_password `cat /secrets/server-password`
-- It may make databases: the migrate service makes the one that backups are tried in.
CREATE ROLE innkey_owner LOGIN CREATEDB PASSWORD :'owner_password';
CREATE ROLE innkey LOGIN PASSWORD :'server_password';
CREATE DATABASE innkey OWNER innkey_owner;
REVOKE ALL ON DATABASE innkey FROM PUBLIC;
GRANT CONNECT ON DATABASE innkey TO innkey;
