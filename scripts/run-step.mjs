import { spawn } from 'node:child_process'

/**
 * Runs a program, shows only its progress and duration, and throws the end of its output with `mend` if it fails.
 */
export function runStep({
  label,
  command,
  args,
  cwd,
  env,
  mend,
  relevant = output => output,
  quiet = false,
}) {
  const began = Date.now()
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`
  const say = text => quiet || process.stderr.write(`${text}\n`)
  say(`  … ${label}`)
  const heartbeat = setInterval(() => say(`  … ${label}: ${seconds()} so far`), 15_000)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = chunk => {
      output = (output + chunk).slice(-20_000)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', error =>
      reject(new Error(`${label}: ${command} cannot be run (${error.code}). ${mend('')}`)),
    )
    child.once('close', (code, signal) => {
      if (code === 0) {
        say(`  ✓ ${label} (${seconds()})`)
        return resolve()
      }
      const tail = relevant(output).trimEnd().split('\n').slice(-40).join('\n')
      reject(new Error(`${tail}\n\n${label} failed (${signal ?? `exit code ${code}`}). ${mend(output)}`))
    })
  }).finally(() => clearInterval(heartbeat))
}
