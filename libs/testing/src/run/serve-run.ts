// What the files of a run share is made in vitest's own process, as files end and it stays.
import { createServer } from 'node:http'
import { freePort } from '@svc/local/free-port'

export interface Made {
  /** What the files get to know of it, as JSON. */
  readonly facts: unknown
  close(): Promise<void>
}

export type Maker = () => Promise<Made>

export interface RunServer {
  readonly url: string
  /** Ends everything that was made. */
  close(): Promise<void>
}

/** Answers `GET /<kind>` with the facts of what `makers[kind]` makes, once. */
export async function serveRun(makers: Readonly<Record<string, Maker>>): Promise<RunServer> {
  const made = new Map<string, Promise<Made>>()
  const server = createServer(async ({ url = '' }, response) => {
    const kind = url.slice(1)
    try {
      const one = made.get(kind) ?? makers[kind]?.()
      if (!one) throw new Error(`A run has no ${kind}`)
      made.set(kind, one)
      response.end(JSON.stringify((await one).facts))
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error))
    }
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      // One that could not be made has told whoever asked.
      await Promise.all(
        [...made.values()].map(one =>
          one.then(
            it => it.close(),
            () => {},
          ),
        ),
      )
    },
  }
}
