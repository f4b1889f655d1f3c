/** `npm run rehearsal`: creates the hosts, runs the rehearsal from that of the clients, and removes them again. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { makeHosts, whyNotPermitted } from './hosts.ts'
import { readOptions } from './options.ts'
import { hostNames, aliases } from './product-hosts.ts'

/** Resolves to the exit status, which is also 0 if hosts cannot be created on this machine. */
export async function main(args: string[]): Promise<number> {
  try {
    readOptions(args)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 2
  }
  const reason = whyNotPermitted()
  if (reason) {
    process.stdout.write(`The rehearsal is skipped: ${reason}.\n`)
    return 0
  }
  const network = makeHosts(hostNames, aliases)
  const removeAtExit = () => network.remove()
  process.once('exit', removeAtExit)
  const [command = '', ...words] = network.host('client').through
  const inside = fileURLToPath(new URL('./inside.js', import.meta.url))
  const child = spawn(command, [...words, process.execPath, inside, ...args], {
    // When this process is gone, the other one notices that the channel closes.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, REHEARSAL_OWNER: String(process.pid) },
    // Ctrl-C goes to every process of the foreground group; this one passes it on, once.
    detached: true,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill('SIGTERM'))
  return new Promise(resolve => {
    child.once('error', error => {
      process.stderr.write(`The rehearsal cannot be started: ${error.message}\n`)
      resolve(1)
    })
    child.once('exit', code => {
      // A log line may still be on its way.
      network.remove()
      process.removeListener('exit', removeAtExit)
      resolve(code ?? 1)
    })
  })
}
