// Stripe's wire format on 127.0.0.1: forms in, JSON out, idempotency keys honoured as docs.stripe.com/api/idempotent_requests
// says, signed messages, and faults on demand.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@svc/local/free-port'
import Stripe from 'stripe'
import { parseForm } from './stripe-form.ts'
import { type Answer, createStripeObjects, type FakeSession, Refused } from './stripe-objects.ts'

/**
 * `error`: 500, the same again for the same key; `busy`: 429; `cut`: executed, and the connection is lost before the answer;
 * `lost`: not executed, and the connection is lost; `slow`: the answer takes `ms`, or until `until`; `html`: a proxy's answer; `revoked`: 401, as for a key that is taken no more.
 */
export interface Fault {
  kind: 'error' | 'busy' | 'cut' | 'lost' | 'slow' | 'html' | 'revoked'
  /** The method and the beginning of the path, `POST /v1/refunds`. */
  on: string
  times: number
  ms?: number
  until?: Promise<unknown>
}

export type FakeStripe = Awaited<ReturnType<typeof startStripe>>

export const secretKey = 'sk_test_51NotARealKeyAtAll'
export const webhookSecret = 'whsec_notARealSecret'

export async function startStripe({ now = Date.now }: { now?: () => number } = {}) {
  const objects = createStripeObjects(now)
  const faults: Fault[] = []
  const requests: { line: string; key: string | undefined; status: number | undefined }[] = []
  const saved = new Map<string, { request: string; at: number; answer: Answer | undefined }>()
  const port = await freePort()
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe')
    const line = `${request.method} ${pathname}`
    const key = request.headers['idempotency-key'] as string | undefined
    const seen: (typeof requests)[number] = { line, key, status: undefined }
    requests.push(seen)
    const fault = faults.find(each => each.times > 0 && line.startsWith(each.on))
    if (fault) fault.times--
    const send = (answer: Answer) => {
      seen.status = answer.status
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'request-id': `req_${randomBytes(6).toString('hex')}`,
      })
      response.end(JSON.stringify(answer.body))
    }
    const refuse = (status: number, error: object) => send({ status, body: { error } })

    if (fault?.kind === 'revoked' || request.headers.authorization !== `Bearer ${secretKey}`) {
      const message = `Invalid API Key provided: ${request.headers.authorization}`
      return refuse(401, { type: 'invalid_request_error', message })
    }
    if (fault?.kind === 'lost') return void request.socket.destroy()
    if (fault?.kind === 'busy')
      return refuse(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Slow down.' })
    if (fault?.kind === 'html') return void response.writeHead(502).end('<html>Bad gateway</html>')

    const keyed = key !== undefined && request.method === 'POST'
    const whole = `${line} ${body}`
    const before = keyed ? saved.get(key) : undefined
    if (before && before.at + 24 * 3600 * 1000 > now()) {
      if (before.request !== whole) {
        return refuse(400, {
          type: 'idempotency_error',
          message: 'Keys can only be used with the same parameters.',
        })
      }
      if (!before.answer)
        return refuse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: '' })
      return send(before.answer)
    }
    const entry: { request: string; at: number; answer: Answer | undefined } = {
      request: whole,
      at: now(),
      answer: undefined,
    }
    if (keyed) saved.set(key, entry)
    if (fault?.kind === 'slow') await (fault.until ?? delay(fault.ms ?? 1000))
    try {
      const failed = { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong.' } } }
      const execute = () =>
        structuredClone(objects.answer(request.method ?? '', pathname, parseForm(body), searchParams))
      entry.answer = fault?.kind === 'error' ? failed : { status: 200, body: execute() }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // What was not executed is not saved.
      if (keyed) saved.delete(key)
      return send(error.answer)
    }
    if (fault?.kind === 'cut') return void request.socket.destroy()
    send(entry.answer)
  }

  return {
    ...objects,
    url: `http://127.0.0.1:${port}`,
    faults,
    requests,
    /** How often this was asked for, as the beginning of `POST /v1/refunds`. */
    asked: (line: string) => requests.filter(request => request.line.startsWith(line)).length,
    /** The one session of an order that can be paid now. */
    openSessions: (order: string) =>
      [...objects.sessions.values()].filter(
        ({ client_reference_id, id }) =>
          client_reference_id === order && objects.sessionOf(id).status === 'open',
      ),
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A message as Stripe sends it, as text. */
export const eventText = (
  type: string,
  object: object,
  id = `evt_${randomBytes(12).toString('hex')}`,
): string =>
  JSON.stringify(
    {
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      type,
      data: { object },
    },
    null,
    2,
  )

export const signature = (
  payload: string,
  { secret = webhookSecret, timestamp }: { secret?: string; timestamp?: number } = {},
): string => Stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) })

export const completed = (session: FakeSession, id?: string) =>
  eventText('checkout.session.completed', session, id)
