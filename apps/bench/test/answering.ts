/** A small HTTP server for the load. It answers as the test says and records its requests. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { freePort } from '@svc/local/free-port'
import { onTestFinished } from 'vitest'
import type { Seed } from '../src/load/workloads.ts'
import type { Machine } from '../src/machine.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The client's ports, one per connection. */
  readonly port: number
}

export interface Reply {
  readonly status: number
  readonly body: object
}

export async function answering(reply: (asked: Asked) => Reply | Promise<Reply>) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers, socket } = request
    const one = { method, url, headers, body, port: socket.remotePort ?? 0 }
    asked.push(one)
    const answer = await reply(one)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  const port = await freePort()
  await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, asked }
}

export const seed: Seed = {
  token: 'sk_svc_test',
  restricted_token: 'sk_svc_restricted',
  owner_session: 'sess_svc_test',
  workspace_id: 'ws_1',
  product_id: 'prod_1',
  package_version_id: 'pkgv_1',
  offer_channel_id: 'och_1',
}

export const created: Reply = { status: 201, body: { id: 'offer_1', short_hash: 'abc' } }

export const machine: Machine = {
  date: '2026-01-02T03:04:05.000Z',
  cores: 2,
  cpu: 'A & B <CPU>',
  memory_gb: 8,
  node: '20.19.0',
  postgres: '18.0',
  nats: '2.14.0',
}
