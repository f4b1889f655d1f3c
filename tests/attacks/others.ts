/** How others are answered during an attack. */
import { Agent, request } from 'node:http'

export interface Asked {
  readonly url: string
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly body?: string
  /** The source address: all of 127.0.0.0/8 is this machine. */
  readonly from?: string
}

/**
 * Sends so many requests, one after the other, over a connection that is kept.
 *
 * @returns the statuses that were answered, each once
 */
export async function answersInTurn(asked: Asked, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses = new Set<number>()
  try {
    for (let sent = 0; sent < count; sent++) statuses.add(await ask(asked, agent))
  } finally {
    agent.destroy()
  }
  return [...statuses]
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
