#!/bin/sh
# Builds Citus from its public source against the PostgreSQL 15 of Debian, and installs it beside it. As root on Debian:
#
#   apt-get install --no-install-recommends postgresql-15 postgresql-server-dev-15 git make gcc flex bison \
#     libssl-dev libreadline-dev zlib1g-dev libkrb5-dev libpq-dev libzstd-dev liblz4-dev
#   sh tests/citus/build.sh
#
# CITUS_SOURCE is a clone to build from instead of the public one, CITUS_JOBS how many compilers run at once (2).
set -eu

# The newest release for PostgreSQL 15; 14.0 dropped it.
release=v13.2.2
commit=cc91f4c29cc358f66e70eb1ef204a45999933926
config=${PG_CONFIG:-/usr/lib/postgresql/15/bin/pg_config}
source=${CITUS_SOURCE:-https://github.com/citusdata/citus.git}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

[ -x "$config" ] || { echo "There is no $config: install postgresql-server-dev-15." >&2; exit 1; }
git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$release" "$source" "$place/citus"
cd "$place/citus"
[ "$(git rev-parse HEAD)" = "$commit" ] || { echo "$release is not $commit." >&2; exit 1; }
# PostgreSQL 15 has this function for everybody since one of its later minor versions, and Citus brings its own.
sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/' \
  src/include/pg_version_compat.h src/backend/distributed/commands/serialize_distributed_ddls.c
./configure --quiet --without-libcurl --without-lz4 --without-zstd PG_CONFIG="$config"
make --silent -j"${CITUS_JOBS:-2}" with_llvm=no
make --silent install with_llvm=no
echo "Citus $release is among the extensions of $("$config" --version)."
