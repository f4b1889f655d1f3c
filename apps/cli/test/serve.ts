import { createServer, type RequestListener } from 'node:http'
import { freePort } from '@svc/local/free-port'

/** An HTTP server in place of the API, or in front of it. */
export async function serve(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const port = await freePort()
  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
