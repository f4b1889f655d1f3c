/** A server in place of the API that keeps what it is asked, one per test file, and `svc` with a credential for it. */
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { serve } from './serve.ts'
import type { Env } from './svc-process.ts'

export interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Answer {
  readonly status?: number
  readonly body?: string
  readonly headers?: Record<string, string>
}

export const token = 'session-of-nobody-4711'

export function keepingServer() {
  let server: Awaited<ReturnType<typeof serve>>
  const asked: Asked[] = []
  const answers: Answer[] = []
  beforeAll(async () => {
    server = await serve(async (request, response) => {
      const { method, url, headers } = request
      asked.push({ method, url, headers, body: await text(request) })
      const { status = 200, body = '{"data":[]}', headers: more } = answers.shift() ?? {}
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body)
    })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    asked.length = 0
    answers.length = 0
  })
  return {
    asked,
    /** Those that it gives first. */
    answers,
    get url() {
      return server.url
    },
    env: (): Env => ({
      SVC_BASE_URL: server.url,
      SVC_TOKEN: token,
      SVC_WORKSPACE: 'ws_01h455vb4pex5vsknk084sn02q',
    }),
  }
}
