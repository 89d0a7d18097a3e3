#!/bin/sh
# Run once by the Postgres image, when the volume is empty: the role PAM lives under, its database and extensions.
# The role is no superuser, because row-level security does not hold for one, and superusers alone create `vector`.
set -eu

psql --set ON_ERROR_STOP=1 --set password="$PAM_DATABASE_PASSWORD" --username "$POSTGRES_USER" <<'SQL'
CREATE ROLE pam LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE PASSWORD :'password';
CREATE DATABASE pam OWNER pam;
\connect pam
CREATE EXTENSION vector;
CREATE EXTENSION btree_gin;
CREATE EXTENSION pg_trgm;
-- Under row-level security an index is searched by leakproof functions only.
ALTER FUNCTION pg_catalog.texticlike(text, text) LEAKPROOF;
ALTER FUNCTION pg_catalog.arrayoverlap(anyarray, anyarray) LEAKPROOF;
ALTER FUNCTION pg_catalog.arraycontains(anyarray, anyarray) LEAKPROOF;
SQL
