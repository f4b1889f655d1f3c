import { setTimeout as delay } from 'node:timers/promises'
import type { ServerHandle } from './server-handle.ts'

export async function revive(
  name: string,
  server: () => ServerHandle | undefined,
  stopping: () => boolean,
  onLine: (line: string) => void,
): Promise<void> {
  for (let pauseMs = 100; !stopping(); pauseMs = Math.min(pauseMs * 2, 5_000)) {
    await delay(pauseMs)
    if (stopping()) return
    try {
      await server()?.restart()
      return onLine(`${name} is back`)
    } catch (error) {
      onLine(`${name} | ${error instanceof Error ? error.message : error}`)
    }
  }
}
