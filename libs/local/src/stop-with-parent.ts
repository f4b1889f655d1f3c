import { spawn } from 'node:child_process'

// Waits on a pipe that only this process holds open: it ends when this process does, however that happened.
const WATCH = `cat >/dev/null
kill -s "$1" "$0" 2>/dev/null
i=0
while [ $i -lt 15 ] && kill -0 "$0" 2>/dev/null; do sleep 1; i=$((i+1)); done
kill -s KILL "$0" 2>/dev/null`

/**
 * Sees to it that the process `pid` gets `signal` (and after 15 s SIGKILL) when this process is gone, be it by
 * kill -9: a server in a process group of its own would outlive it and keep its port. Call the result when the
 * process has ended by itself.
 */
export function stopWithParent(pid: number, signal: 'INT' | 'TERM'): () => void {
  const watch = spawn('/bin/sh', ['-c', WATCH, String(pid), signal], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.on('error', () => {})
  watch.stdin.on('error', () => {})
  watch.unref()
  ;(watch.stdin as unknown as { unref?: () => void }).unref?.()
  return () => {
    if (watch.pid === undefined || watch.exitCode !== null) return
    try {
      process.kill(-watch.pid, 'SIGKILL')
    } catch {
      // gone already
    }
  }
}
