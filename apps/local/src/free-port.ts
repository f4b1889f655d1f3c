import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Linux hands out 32768 and above to outgoing connections: a port from there can be taken by any client
// between this check and the server's own bind.
const LOWEST = 20_000
const HIGHEST = 32_000
const given = new Set<number>()

/** A free TCP port on 127.0.0.1 within 20000..32000, never the same one twice in a process. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (given.has(port) || (await portInUse(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`No free TCP port on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`)
}

/**
 * Whether something already listens on `port`.
 *
 * @throws whatever else keeps it from being bound (EACCES below 1024)
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
