// `npm run test:containers`: builds the images, and walks the story of docs/running/deployment.md with Docker Compose, as far from
// this machine as containers are: the engine has a network namespace of its own. Nothing is fetched but npm packages: the
// base image is made of busybox, this machine's C library and Node.js from npm, PostgreSQL and NATS are those of `npm start`.
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, root } from '../../scripts/prepare.mjs'
import { makeBaseImages } from './base-images.mjs'
import { startEngine } from './engine.mjs'
import { buildImages, labels, secretMark } from './images.mjs'
import { output, run } from './run-program.mjs'
import { composeBinary, whatIsMissing } from './what-is-missing.mjs'

const missing = await whatIsMissing()
if (missing) {
  console.log(`test:containers: skipped. ${missing}`)
  process.exit(0)
}

const folder = await mkdtemp(join(tmpdir(), 'svc-containers-'))
const cleanUps = [() => rm(folder, { recursive: true, force: true })]
async function cleanUp() {
  for (const undo of cleanUps.splice(0).reverse()) await undo()
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => cleanUp().finally(() => process.exit(1)))
}

try {
  await prepare()
  const project = join(folder, 'svc')
  await copyProject(project)
  const podman = await configurePodman(folder)
  await makeBaseImages({ folder, root, project, podman })
  const build = await buildImages({ folder, project, podman })
  const engine = await startEngine({ folder, compose: await composeBinary() })
  cleanUps.push(engine.stop)
  await run('loading the images', 'docker', ['load', '--quiet', '--input', build.archive], {
    env: engine.env,
  })
  process.exitCode = await runTests({
    engine,
    settings: { project, podman, builds: build.commands, labels, secretMark },
  })
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  await cleanUp()
}

/** What a clone of the work tree would have, so that neither .env nor an edited source ends up in this one. */
async function copyProject(project) {
  const files = (
    await output('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  ).split('\0')
  for (const file of files.filter(Boolean)) {
    await cp(join(root, file), join(project, file), { preserveTimestamps: true, force: true }).catch(
      error => {
        // Deleted, and not yet committed.
        if (error.code !== 'ENOENT') throw error
      },
    )
  }
  // The images that are made here have other digests.
  for (const file of ['docker-compose.yml', 'deploy/Dockerfile']) {
    const path = join(project, file)
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/@sha256:[0-9a-f]{64}/g, ''))
  }
}

/** Podman with everything that it keeps in `folder`. */
async function configurePodman(folder) {
  const configuration = join(folder, 'containers.conf')
  await writeFile(
    configuration,
    [
      '[containers]',
      // The defaults are more than a root without CAP_SYS_RESOURCE may ask for.
      'default_ulimits = ["nofile=4096:4096", "nproc=20000:20000"]',
      '[engine]',
      // crun refuses a machine with both kinds of cgroups.
      'runtime = "runc"',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      '',
    ].join('\n'),
  )
  return {
    args: ['--root', join(folder, 'podman'), '--runroot', join(folder, 'podman-run')],
    env: { ...process.env, CONTAINERS_CONF: configuration, TMPDIR: folder },
  }
}

/** The tests are inside the engine's network, where the gateway's published port is. */
function runTests({ engine, settings }) {
  const vitest = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'tests/containers/vitest.config.ts',
  ]
  const child = spawn('nsenter', [`--net=/proc/${engine.pid}/ns/net`, process.execPath, ...vitest], {
    cwd: root,
    env: { ...engine.env, SVC_CONTAINERS: JSON.stringify(settings) },
    stdio: 'inherit',
  })
  return new Promise(resolve => child.once('exit', code => resolve(code ?? 1)))
}
