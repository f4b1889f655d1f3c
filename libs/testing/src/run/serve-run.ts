// What the files of a run share is made in vitest's own process, as files end and it stays.
import { createServer } from 'node:http'
import { freePort } from '@svc/local/free-port'

export interface Made {
  /** What the files get to know of it, as JSON. */
  readonly facts: unknown
  close(): Promise<void>
}

/** Makes something for that worker. */
export type Maker = (worker: string) => Promise<Made>

export interface RunServer {
  readonly url: string
  /** Ends everything that was made. */
  close(): Promise<void>
}

/** Answers `GET /<kind>/<worker>` with the facts of what `makers[kind]` makes, once for each worker. */
export async function serveRun(makers: Readonly<Record<string, Maker>>): Promise<RunServer> {
  const made = new Map<string, Promise<Made>>()
  const server = createServer(async ({ url = '' }, response) => {
    const [, kind = '', worker = ''] = url.split('/')
    try {
      const one = made.get(url) ?? makers[kind]?.(worker)
      if (!one) throw new Error(`A run has no ${kind}`)
      made.set(url, one)
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
