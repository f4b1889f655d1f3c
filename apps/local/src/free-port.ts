import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Linux uses 32768 and above for outgoing connections: any client could take such a port between this check and the
// server's own bind.
const LOWEST = 20_000
const HIGHEST = 32_000

/**
 * A free TCP port on 127.0.0.1 within 20000..32000. It is reserved until this process ends, so that the server on
 * it can be restarted.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if ((await claim(port)) && !(await portInUse(port))) return port
  }
  throw new Error(`No free TCP port on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`)
}

const tried = new Set<number>()

/** Reserves it with a name that the kernel gives only once, and releases when the process ends. */
async function claim(port: number): Promise<boolean> {
  if (tried.has(port)) return false
  tried.add(port)
  // Only Linux has such names.
  if (process.platform !== 'linux') return true
  return new Promise((resolve, reject) => {
    const server = createServer().unref()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(`\0svc-port-${port}`, () => resolve(true))
  })
}

/**
 * Whether something already listens on `port`.
 *
 * @throws any other reason why it cannot be bound (EACCES below 1024)
 */
export function portInUse(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(true) : reject(error),
    )
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)))
  })
}

/** Launches a server. If no port was `wanted` and another process took the chosen one first, tries the next one. */
export async function onFreePort<T>(
  wanted: number | undefined,
  launch: () => Promise<T>,
  choose: (port: number) => void,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await launch()
    } catch (error) {
      if (wanted !== undefined || tries === 3 || !/port \d+ .*in use/.test(String(error))) throw error
      choose(await freePort())
    }
  }
}
