// Only one preparation runs at a time in a clone: npm ci deletes node_modules first.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Runs `work` while holding the folder `path`; waits, calling `onWait` once, while another process holds it. */
export async function exclusively(path, work, onWait) {
  for (let isWaiting = false; !take(path); isWaiting = true) {
    if (!isWaiting) onWait()
    await delay(200)
  }
  const release = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    release()
    process.removeListener('exit', release)
  }
}

function take(path) {
  mkdirSync(dirname(path), { recursive: true })
  try {
    mkdirSync(path)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isStale(path)) rmSync(path, { recursive: true, force: true })
    return false
  }
  writeFileSync(join(path, 'pid'), String(process.pid))
  return true
}

function isStale(path) {
  try {
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'))
    if (pid > 0) return !isAlive(pid)
    // Between the two steps of its creation it has no pid yet.
    return Date.now() - statSync(path).mtimeMs > 5_000
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    try {
      return Date.now() - statSync(path).mtimeMs > 5_000
    } catch {
      return false
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
