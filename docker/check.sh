#!/usr/bin/env bash
# Builds the image, and runs it with what `npm run check:deployment` tries on its file tree. From a checkout with
# `npm ci` done: docker/check.sh. Uses docker, podman or buildah, in this order; ENGINE=podman chooses.
# Where the base image cannot be pulled, its place is taken by one made from this machine's Node.js and npm.
# Status 0: the image holds. 3: no engine works here.
set -euo pipefail
cd "$(dirname "$0")/.."

image=tenure:check
base=${BASE:-docker.io/library/node:24-bookworm-slim}

say() { printf 'image: %s\n' "$1"; }

works() {
  case $1 in
    docker) docker info >/dev/null 2>&1 ;;
    *) "$1" info >/dev/null 2>&1 ;;
  esac
}

# A root file system with what the Dockerfile needs of its base: Node.js, npm, a shell, certificates, the user.
make_base() {
  local rootfs=$1 file
  mkdir -p "$rootfs"/{bin,etc,tmp,root,usr/local/lib,usr/local/bin,home/node}
  chmod 1777 "$rootfs/tmp"
  cp -L "$(command -v node)" "$rootfs/usr/local/bin/node"
  cp -rL "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$rootfs/usr/local/lib/npm"
  printf '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n' >"$rootfs/usr/local/bin/npm"
  chmod 755 "$rootfs/usr/local/bin/npm"
  cp -L /bin/sh /usr/bin/env "$rootfs/bin/"
  mkdir -p "$rootfs/usr/bin" && cp -L /usr/bin/env "$rootfs/usr/bin/env"
  {
    ldd "$(command -v node)" /bin/sh /usr/bin/env | grep -o '/[^ :]* (' | tr -d ' ('
    ldconfig -p | grep -E 'lib(gcc_s|stdc\+\+|m|dl|rt|pthread|resolv|nss_(dns|files))\.so\.' | grep -o '/[^ ]*$'
  } | sort -u | while read -r file; do cp -L --parents "$file" "$rootfs"; done
  cp -L --parents /etc/ssl/certs/ca-certificates.crt "$rootfs"
  printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' >"$rootfs/etc/passwd"
  printf 'root:x:0:\nnode:x:1000:\n' >"$rootfs/etc/group"
  chmod -R go-w,a+rX "$rootfs"
}

import_base() {
  local changes=('ENV PATH=/usr/local/bin:/usr/bin:/bin' 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt')
  if [ "$engine" = buildah ]; then
    local container
    container=$(buildah from scratch)
    buildah add -q "$container" "$1" / >/dev/null
    buildah config --env "${changes[0]#ENV }" --env "${changes[1]#ENV }" "$container"
    buildah commit -q "$container" "$base" >/dev/null
    buildah rm "$container" >/dev/null
  else
    tar -C "$1" -c . | "$engine" import --change "${changes[0]}" --change "${changes[1]}" - "$base" >/dev/null
  fi
}

engine=
for one in ${ENGINE:-docker podman buildah}; do
  if command -v "$one" >/dev/null 2>&1 && works "$one"; then engine=$one && break; fi
done
if [ -z "$engine" ]; then
  say "NOT TRIED: neither docker nor podman nor buildah works on this machine"
  exit 3
fi

if ! timeout 300 "$engine" pull "$base" >/dev/null 2>&1; then
  base=localhost/tenure-base:check
  say "the registry does not give the base image: one with Node.js $(node --version) of this machine takes its place"
  rootfs=$(mktemp -d)
  trap 'rm -rf "$rootfs"' EXIT
  make_base "$rootfs"
  import_base "$rootfs"
fi

# Where containers may not have control groups of their own, as inside another container.
run_options=
if [ "$engine" = podman ] && ! podman run --rm "$base" node --version >/dev/null 2>&1; then
  export BUILDAH_ISOLATION=chroot
  run_options='--cgroup-manager cgroupfs --runtime runc run --cgroupns host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096'
  # shellcheck disable=SC2086 # one word for each option
  if ! podman $run_options --rm "$base" node --version >/dev/null; then
    say 'podman cannot run containers here: buildah runs them in its place' && engine=buildah
  fi
fi
if [ "$engine" = buildah ]; then export BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}; fi

say "$engine builds it"
build=("$engine" build)
[ "$engine" = docker ] || build+=(--format docker --ignorefile docker/Dockerfile.dockerignore)
"${build[@]}" --file docker/Dockerfile --tag "$image" --build-arg "BASE=$base" .
IMAGE=$image ENGINE=$engine ENGINE_RUN=${run_options:-run} node test/deployment/run.mjs --image
