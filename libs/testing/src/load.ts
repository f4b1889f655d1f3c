// Creates offers, each with a key of its own, and records what was answered to every attempt.
import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Attempt = {
  key: string
  /** Milliseconds of performance.now(). */
  startedAt: number
  endedAt: number
  /** HTTP status, or 0 where the connection broke. */
  status: number
  /** The offer's id, where it was acknowledged. */
  id?: string
  tag?: string
  retryAfter?: string
}

export type LoadOptions = {
  /** Versioned roots; a connection that breaks goes on at the next one. */
  baseUrls: string[]
  token: string
  body: object
  connections: number
  /** Between the answer and the next request of a connection, none by default. */
  pauseMs?: number
}

export type Load = {
  readonly attempts: Attempt[]
  /** Lets what is in progress finish. */
  stop(): Promise<void>
}

/** Starts the load; it goes on until `stop`. */
export function startLoad({ baseUrls, token, body, connections, pauseMs = 0 }: LoadOptions): Load {
  const attempts: Attempt[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  let going = true
  const worker = async (index: number) => {
    for (let gateway = index; going; ) {
      const baseUrl = baseUrls[gateway % baseUrls.length] ?? ''
      const attempt = await createOffer({ baseUrl, token, body, key: randomUUID(), agent })
      attempts.push(attempt)
      if (attempt.status === 0) gateway++
      // A refusal comes back in a millisecond: without a pause the load would be nothing but refusals.
      if (attempt.status !== 201) await delay(50)
      else if (pauseMs) await delay(pauseMs)
    }
  }
  const workers = Array.from({ length: connections }, (_, index) => worker(index))
  return {
    attempts,
    async stop() {
      going = false
      await Promise.all(workers)
      agent.destroy()
    },
  }
}

/** One POST /offers; resolves whatever becomes of it. */
export function createOffer(options: {
  baseUrl: string
  token: string
  body: object
  key: string
  agent?: Agent
}): Promise<Attempt> {
  const { baseUrl, token, key, agent } = options
  const startedAt = performance.now()
  const payload = JSON.stringify(options.body)
  const end = (rest: Pick<Attempt, 'status' | 'id' | 'tag' | 'retryAfter'>): Attempt => ({
    key,
    startedAt,
    endedAt: performance.now(),
    ...rest,
  })
  return new Promise(resolve => {
    const sent = request(`${baseUrl}/offers`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'idempotency-key': key,
      },
    })
    sent.on('error', () => resolve(end({ status: 0 })))
    sent.on('response', async response => {
      try {
        const { id, _tag } = JSON.parse(await textOf(response))
        const { statusCode = 0, headers } = response
        resolve(end({ status: statusCode, id, tag: _tag, retryAfter: headers['retry-after'] }))
      } catch {
        resolve(end({ status: 0 }))
      }
    })
    sent.end(payload)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
