import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { output } from './run-program.mjs'

const programs = [
  'podman',
  'runc',
  'busybox',
  'dockerd',
  'docker',
  'pg_isready',
  'nsenter',
  'unshare',
  'git',
  'tar',
]
const packages =
  'apt-get install --no-install-recommends podman buildah runc busybox-static docker.io postgresql-client'

/** Why the test cannot run here, as a sentence. */
export async function whatIsMissing() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'It needs Linux on x64.'
  if (process.getuid() !== 0) return 'It needs root.'
  const absent = programs.filter(name => !find(name))
  if (absent.length > 0) return `It needs ${absent.join(', ')}: ${packages}`
  if (!(await composeBinary()))
    return 'It needs Docker Compose v2 (in Debian docker-compose, from 13 on), or SVC_COMPOSE with its path.'
  try {
    await output('unshare', ['--net', '--mount', '--pid', '--fork', 'true'])
  } catch {
    return 'It needs namespaces of its own, which are refused here.'
  }
}

/** The path of Docker Compose v2, which is a program as well as a plugin of `docker`. */
export async function composeBinary() {
  const plugins = ['/usr/local/lib', '/usr/local/libexec', '/usr/lib', '/usr/libexec'].map(
    folder => `${folder}/docker/cli-plugins/docker-compose`,
  )
  const own = `${process.env.HOME}/.docker/cli-plugins/docker-compose`
  const candidates = [process.env.SVC_COMPOSE, own, ...plugins, find('docker-compose')]
  for (const path of candidates) {
    if (path && existsSync(path) && /\bv?2\.\d+/.test(await versionOf(path))) return path
  }
}

const versionOf = path => output(path, ['version', '--short']).catch(() => '')

const find = name =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
