/** The effect of an attack on others: how long their requests take, and how they are answered, before and during it. */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface Seen {
  readonly p50: number
  readonly p99: number
  /** How often each status was answered; 0: the connection broke. */
  readonly statuses: Readonly<Record<number, number>>
}

export interface Asked {
  readonly url: string
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly body?: string
  /** The source address: all of 127.0.0.0/8 is this machine. */
  readonly from?: string
}

/**
 * Sends a request every `everyMs`, whether earlier ones are answered or not, until `until` settles, and at least
 * `atLeast` times. Waiting for each answer would mean few requests to a gateway that stands still. `connected`: over
 * connections that are already open.
 */
export async function watchOthers(
  asked: Asked,
  until: Promise<unknown>,
  { everyMs = 20, atLeast = 100, connected }: { everyMs?: number; atLeast?: number; connected?: Agent } = {},
): Promise<Seen> {
  const agent = connected ?? new Agent({ keepAlive: true })
  const took: number[] = []
  const statuses: Record<number, number> = {}
  const one = async () => {
    const began = performance.now()
    const status = await ask(asked, agent)
    took.push(performance.now() - began)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  let over = false
  const ended = until.finally(() => {
    over = true
  })
  const answers: Promise<void>[] = []
  try {
    while (!over || answers.length < atLeast) {
      answers.push(one())
      await delay(everyMs)
    }
    await Promise.all(answers)
  } finally {
    if (!connected) agent.destroy()
  }
  await ended
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99), statuses }
}

/** Connections that are open before it begins, as clients keep theirs. */
export async function connect(asked: Asked, count: number): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: count })
  await Promise.all(Array.from({ length: count }, () => ask(asked, agent)))
  return agent
}

/** The status; 0 where the connection broke. */
export function ask({ url, headers, method = 'GET', body, from }: Asked, agent: Agent): Promise<number> {
  return new Promise(resolve => {
    const sent = request(url, { method, headers, agent, localAddress: from }, answer => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', () => resolve(0))
    })
    sent.once('error', () => resolve(0))
    sent.end(body)
  })
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
