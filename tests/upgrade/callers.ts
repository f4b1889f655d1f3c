/** What people and programs do during an upgrade beside creating offers, and every answer that they should not have had. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DevFile } from '@svc/local/seed-demo'

export interface Callers {
  /** Rounds of each caller. */
  readonly rounds: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  /** Lets what is in progress finish. */
  stop(): Promise<void>
}

type Body = { id: string; token: string; etag: string }
type Send = (
  method: string,
  path: string,
  expected: number,
  options?: { base?: string; credential?: string; body?: object; headers?: Record<string, string> },
) => Promise<Body>

const pauseMs = 100

/** @param inRotation versioned roots of the gateways, as they are now */
export function startCallers(inRotation: readonly string[], dev: DevFile): Callers {
  const rounds: Record<string, number> = {}
  const failures: string[] = []
  let going = true
  let turn = 0

  const send: Send = async (method, path, expected, { base, credential, body, headers } = {}) => {
    const to = base ?? inRotation[turn++ % inRotation.length]
    const said = await fetch(`${to}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential ?? dev.api_token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    }).then(
      async response => ({ status: response.status, text: await response.text() }),
      error => ({ status: 0, text: String(error.cause ?? error) }),
    )
    if (said.status === expected) return (said.text ? JSON.parse(said.text) : {}) as Body
    const failure = `${method} ${path} at ${to} was answered ${said.status}, not ${expected}: ${said.text}`
    failures.push(failure)
    throw new Error(failure)
  }
  const repeat = async (name: string, round: (n: number) => Promise<void>) => {
    rounds[name] = 0
    for (let n = 0; going; n++) {
      await round(n).then(
        () => {
          rounds[name] = n + 1
        },
        () => {},
      )
      await delay(pauseMs)
    }
  }

  const settings = `/clusters/${dev.cluster_id}/compute_settings`
  const owner = { credential: dev.owner.session_token, headers: { 'svc-context': dev.workspace_id } }
  const all = [
    repeat('lists', async () => {
      await send('GET', '/installs', 200)
    }),
    repeat('settings', async n => {
      const { etag } = await send('GET', settings, 200)
      const body = { max_machines: 10 + (n % 2) }
      await send('PATCH', settings, 200, { body, headers: { 'if-match': etag } })
    }),
    // A revocation holds at every gateway from its reply on, whichever releases they and the services are of.
    repeat('revocations', async n => {
      const body = { name: `round ${n}` }
      const { id, token } = await send('POST', '/api_tokens', 201, { ...owner, body })
      const everywhere = async (expected: number) => {
        for (const base of [...inRotation]) {
          const isThere = inRotation.includes(base)
          if (isThere) await send('GET', '/installs', expected, { base, credential: token })
        }
      }
      await everywhere(200)
      await everywhere(200)
      await send('DELETE', `/api_tokens/${id}`, 204, owner)
      await everywhere(401)
    }),
  ]
  return {
    rounds,
    failures,
    async stop() {
      going = false
      await Promise.all(all)
    },
  }
}
