import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode, readIfPresent } from '../private-file.ts'
import { waitUntil } from '../wait-until.ts'

const run = promisify(execFile)

/**
 * Stops what an earlier run left running on this data directory: a server whose parent was killed, or the workers
 * of a server that was itself killed (they hold the shared memory, which keeps a new server from starting). Removes
 * a postmaster.pid whose process id now belongs to another program, as after a reboot.
 */
export async function stopLeftovers(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const postmaster = Number((await readIfPresent(pidFile))?.split('\n')[0])
  if (Number.isInteger(postmaster) && postmaster > 0 && (await isAlive(postmaster))) {
    const ours = await runsOn(postmaster, data)
    if (ours) await stopServer(postmaster, data)
    if (ours !== undefined) await rm(pidFile, { force: true })
  }
  const workers = await serverProcesses(data)
  for (const pid of workers) send(pid, 'SIGKILL')
  const gone = async () => !(await Promise.all(workers.map(isAlive))).includes(true)
  await waitUntil('The workers of an earlier PostgreSQL end', gone, { timeoutMs: 10_000 })
}

/** Every process of the server on this data directory; empty if the system has no /proc. */
export async function serverProcesses(data: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name)
    if (Number.isInteger(pid) && (await runsOn(pid, data))) found.push(pid)
  }
  return found
}

async function stopServer(pid: number, data: string): Promise<void> {
  // A process stopped by SIGSTOP would not notice any other signal.
  for (const each of await serverProcesses(data)) send(each, 'SIGCONT')
  for (const [signal, timeoutMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    send(pid, signal)
    try {
      return await waitUntil('The earlier PostgreSQL ends', async () => !(await isAlive(pid)), { timeoutMs })
    } catch {
      // the next signal
    }
  }
  throw new Error(`PostgreSQL of an earlier run (process ${pid}) cannot be stopped; stop it yourself.`)
}

/** PostgreSQL's processes work in their data directory. Undefined if it cannot be determined. */
async function runsOn(pid: number, data: string): Promise<boolean | undefined> {
  try {
    if (!existsSync('/proc/self')) {
      const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command='])
      return stdout.includes('postgres') && stdout.includes(data)
    }
    if ((await readlink(`/proc/${pid}/cwd`)) !== data) return false
    return /^postgres/.test(await readFile(`/proc/${pid}/comm`, 'utf8'))
  } catch {
    return undefined
  }
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false
  }
  // In a container whose first process does not reap, dead processes keep their ids as zombies.
  const stat = await readIfPresent(`/proc/${pid}/stat`).catch(() => undefined)
  return stat === undefined || !/\) [ZX] /.test(stat)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}
