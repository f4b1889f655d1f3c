import { type ChildProcess, spawn } from 'node:child_process'

// Reads from a pipe that only this process holds open: it ends when this process does, for whatever reason.
const WATCH = `children=
while read -r verb pid signal; do
  case $verb in
    watch) children="$children $pid:$signal" ;;
    forget)
      others=
      for child in $children; do [ "\${child%:*}" = "$pid" ] || others="$others $child"; done
      children=$others ;;
  esac
done
for child in $children; do kill -s "\${child#*:}" "\${child%:*}" 2>/dev/null; done
i=0
while [ $i -lt 15 ]; do
  alive=
  for child in $children; do kill -0 "\${child%:*}" 2>/dev/null && alive=yes; done
  [ -n "$alive" ] || exit 0
  sleep 1
  i=$((i+1))
done
for child in $children; do kill -s KILL "\${child%:*}" 2>/dev/null; done`

let watch: ChildProcess | undefined

/**
 * Makes sure that the process `pid` gets `signal` (and after 15 s SIGKILL) when this process ends, even by kill -9:
 * a server in its own process group would outlive it and keep its port. Call the result when the process has ended
 * by itself.
 */
export function stopWithParent(pid: number, signal: 'INT' | 'TERM'): () => void {
  // One for all, since starting a process costs this one more than running it.
  watch ??= startWatch()
  const { stdin } = watch
  stdin?.write(`watch ${pid} ${signal}\n`)
  return () => void stdin?.write(`forget ${pid}\n`)
}

function startWatch(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', WATCH], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  started.on('error', () => {})
  started.once('exit', () => {
    if (watch === started) watch = undefined
  })
  started.stdin.on('error', () => {})
  started.unref()
  ;(started.stdin as unknown as { unref?: () => void }).unref?.()
  return started
}
