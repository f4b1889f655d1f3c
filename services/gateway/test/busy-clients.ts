/**
 * Clients that keep their connections alive and send the next request as soon as they are answered, until nothing
 * listens any more.
 */
import { waitUntil } from '@svc/local/wait-until'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

interface Order {
  readonly authorization: string
  readonly body: string
}

export function busyClients(url: string, count: number, { authorization, body }: Order) {
  let created = 0
  const failures: string[] = []
  const headers = { authorization, 'content-type': 'application/json' }

  const create = (agent: Agent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(`${url}/v1/offers`, { method: 'POST', agent, headers }, resolve).once('error', reject).end(body)
    })
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      for (;;) {
        const answer = await create(agent)
        await text(answer)
        if (answer.statusCode === 201) created++
        else failures.push(String(answer.statusCode))
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A request that was never accepted may be sent to another gateway.
      if (code !== 'ECONNREFUSED') failures.push(String(code))
    } finally {
      agent.destroy()
    }
  }
  const ended = Promise.all(Array.from({ length: count }, client))
  return {
    answered: (enough: number) =>
      waitUntil(`${enough} answers`, () => created + failures.length >= enough, { everyMs: 5 }),
    /** Settles when every client was refused its connection. */
    refused: ended.then(() => ({ created, failures })),
  }
}
