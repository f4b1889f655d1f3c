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
export const ask = async (asked: Asked, agent: Agent): Promise<number> =>
  (await answerTo(asked, agent))?.status ?? 0

interface Answer {
  readonly status: number
  readonly text: string
}

/** Undefined where the connection broke. */
export function answerTo(
  { url, headers, method = 'GET', body, from }: Asked,
  agent: Agent,
): Promise<Answer | undefined> {
  return new Promise(resolve => {
    const sent = request(url, { method, headers, agent, localAddress: from }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.once('error', () => resolve(undefined))
    })
    sent.once('error', () => resolve(undefined))
    sent.end(body)
  })
}
