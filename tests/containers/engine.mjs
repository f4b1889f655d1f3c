import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { output } from './run-program.mjs'

/**
 * Starts dockerd in namespaces of its own: its networks, mounts and processes are gone when it is. `env` is what `docker`
 * needs to reach it, `pid` is in its network.
 */
export async function startEngine({ folder, compose }) {
  const state = join(folder, 'docker')
  const socket = `unix://${join(folder, 'docker.sock')}`
  const plugins = join(folder, 'docker-config/cli-plugins')
  await mkdir(plugins, { recursive: true })
  await symlink(compose, join(plugins, 'docker-compose'))

  const options = [
    `--data-root=${state}/data`,
    `--exec-root=${state}/exec`,
    `--pidfile=${state}.pid`,
    `--host=${socket}`,
    '--exec-opt=native.cgroupdriver=cgroupfs',
    // The defaults are more than a root without CAP_SYS_RESOURCE may ask for.
    '--default-ulimit=nofile=4096:4096',
    '--default-ulimit=nproc=20000:20000',
  ]
  // nsenter enters the network later: `ip netns exec` would hide the cgroups.
  const isolated = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const child = spawn(
    'unshare',
    [...isolated, 'sh', '-c', 'busybox ip link set lo up && exec dockerd "$@"', 'dockerd', ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const log = createWriteStream(join(folder, 'dockerd.log'))
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  const exited = once(child, 'exit')
  const env = { ...process.env, DOCKER_HOST: socket, DOCKER_CONFIG: join(folder, 'docker-config') }
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  try {
    await answering(env, exited)
  } catch (error) {
    await stop()
    throw new Error(`${error.message}\n${await readFile(join(folder, 'dockerd.log'), 'utf8')}`)
  }
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return { env, pid: Number(children.trim()), stop }
}

async function answering(env, exited) {
  const deadline = AbortSignal.timeout(60_000)
  const ended = exited.then(() => {
    throw new Error('dockerd ended.')
  })
  for (;;) {
    const answers = output('docker', ['version'], { env }).then(
      () => true,
      () => false,
    )
    if (await Promise.race([answers, ended])) {
      ended.catch(() => {})
      return
    }
    if (deadline.aborted) throw new Error('dockerd does not answer.')
    await setTimeout(200)
  }
}
