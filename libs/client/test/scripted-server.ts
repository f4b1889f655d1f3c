// A real HTTP server that answers each request with the next given answer, repeats the last one, and records its
// requests.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '@svc/local/free-port'
import { createClient, type Client } from '../src/client.ts'
import type { ClientOptions } from '../src/options.ts'
import { onTestFinished } from 'vitest'

export type Answering = (response: ServerResponse, request: IncomingMessage) => void

export interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface ScriptedServer {
  readonly baseUrl: string
  readonly received: Received[]
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answering =>
  response =>
    response.writeHead(status, headers).end(body)

/** Closes the connection instead of answering. */
export const drop: Answering = (_, request) => request.socket.destroy()

/** Promises more than it sends. */
export const cutOff: Answering = response => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"data":[', () => response.destroy())
}

export const hang: Answering = () => {}

/** Sends the head at once, and of the body only the beginning. */
export const stall: Answering = response => response.writeHead(200).write('{"data":[')

/** A refusal as the API writes it. */
export const refusal = (status: number, tag: string, code: number, headers: Record<string, string> = {}) =>
  json(
    status,
    { _tag: tag, success: false, errors: [{ code, message: `It is ${tag}.` }], result: {} },
    headers,
  )

/** Ends with the test that starts it. */
export async function startScriptedServer(...script: Answering[]): Promise<ScriptedServer> {
  const port = await freePort()
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method, url, headers } = request
    received.push({ method, url, headers, body })
    script[Math.min(received.length, script.length) - 1]?.(response, request)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { baseUrl: `http://127.0.0.1:${port}/v1`, received }
}

export interface TestClock extends NonNullable<ClientOptions['clock']> {
  /** Every requested wait, in milliseconds. */
  readonly waits: number[]
}

/** Its waits end at once and advance its clock. `chance` is the value of `random`. */
export function testClock(chance = 1): TestClock {
  const waits: number[] = []
  let now = Date.UTC(2026, 0, 1)
  return {
    waits,
    now: () => now,
    random: () => chance,
    async wait(ms) {
      waits.push(ms)
      now += ms
    },
  }
}

/** Whose own timers go on while a test has its own clock: connections outlive the test. */
export const realFetch = AsyncLocalStorage.bind(fetch)

export function clientOf({ baseUrl }: ScriptedServer, options: Partial<ClientOptions> = {}): Client {
  const attemptTimeoutMs = 300_000
  return createClient({ baseUrl, token: 'secret', clock: testClock(), attemptTimeoutMs, ...options })
}

/** A scripted server, and a client of it whose waits are recorded. */
export async function scene(script: Answering[], options: Partial<ClientOptions> = {}) {
  const server = await startScriptedServer(...script)
  const clock = testClock()
  return { client: clientOf(server, { clock, ...options }), received: server.received, waits: clock.waits }
}
