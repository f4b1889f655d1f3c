import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { npm } from '../../scripts/prepare.mjs'
import { output, run } from './run-program.mjs'

export const secretMark = 'mark-of-a-secret-file'
export const labels = { VERSION: '1.2.3', REVISION: '0123abc', SOURCE: 'https://git.example.com/svc' }

/** Builds what docker-compose.yml builds, under the names that Compose gives it. */
export async function buildImages({ folder, project, podman }) {
  const { services } = parse(await readFile(join(project, 'docker-compose.yml'), 'utf8'), { merge: true })
  const built = Object.entries(services).filter(([, { build }]) => build)
  const secrets = await npmSecrets(folder)
  const commands = {}
  for (const service of new Set(built.map(([, { build }]) => build.args.SERVICE))) {
    const tags = built.flatMap(([name, { build }]) =>
      build.args.SERVICE === service ? ['--tag', `docker.io/library/svc-${name}`] : [],
    )
    const options = Object.entries({ SERVICE: service, ...labels }).flatMap(([name, value]) => [
      '--build-arg',
      `${name}=${value}`,
    ])
    commands[service] = [
      ...[...podman.args, 'build', '--pull=never', '--file', 'deploy/Dockerfile'],
      ...[...options, ...secrets, ...tags],
    ]
    await run(`building svc-${service}`, 'podman', [...commands[service], '--network', 'host', '.'], {
      cwd: project,
      env: podman.env,
    })
  }
  const archive = join(folder, 'images.tar')
  const others = Object.values(services).flatMap(({ image }) => (image ? [image] : []))
  const names = [...built.map(([name]) => `svc-${name}`), ...new Set(others)]
  const all = names.map(name => `docker.io/library/${name}`)
  await run('saving the images', 'podman', [...podman.args, 'save', '--quiet', '-m', '-o', archive, ...all], {
    env: podman.env,
  })
  return { archive, commands }
}

/** How npm reaches the registry on this machine, with a mark in each file that no layer may have. */
async function npmSecrets(folder) {
  const setting = async name => {
    const { command, args } = npm(folder, ['config', 'get', name])
    return (await output(command, args, { cwd: folder })).trim()
  }
  const files = {
    npmrc: await setting('userconfig'),
    ca: process.env.NODE_EXTRA_CA_CERTS ?? (await setting('cafile')),
  }
  const secrets = []
  for (const [id, path] of Object.entries(files)) {
    const text = existsSync(path) ? await readFile(path, 'utf8') : ''
    // An empty file of certificates is one that nobody gave.
    const marked = id === 'npmrc' || text ? `# ${secretMark}\n${text}` : ''
    await writeFile(join(folder, id), marked, { mode: 0o600 })
    secrets.push('--secret', `id=${id},src=${join(folder, id)}`)
  }
  return secrets
}
