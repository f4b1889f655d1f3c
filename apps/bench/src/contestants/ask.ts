/** Single requests: to verify a variant, and to prepare a load. */
import type { Seed } from '../load/workloads.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly token?: string
  readonly workspace?: string
  readonly key?: string
  readonly etag?: string
}

export interface Answer {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
  /** The body; empty if it is not JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

export async function ask(url: string, asked: Asked): Promise<Answer> {
  const { method, path, body, token, workspace, key, etag } = asked
  const response = await fetch(`${url}${path}`, {
    method,
    body,
    signal: AbortSignal.timeout(15_000),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(workspace && { 'svc-context': workspace }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
      ...(etag && { 'if-match': `"${etag}"` }),
    },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const replayed = response.headers.get('idempotent-replayed') === 'true'
  return { status: response.status, replayed, text, json: isJson && text ? JSON.parse(text) : {} }
}

/** @returns sends a request of the workspace's owner; resolves with the body of its answer */
export const ownerOf =
  (url: string, { owner_session, workspace_id }: Seed) =>
  async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<Answer['json']> => {
    const { status, text, json } = await ask(url, {
      ...{ method, path: `/v1${path}`, body: body && JSON.stringify(body) },
      ...{ token: owner_session, workspace: workspace_id },
    })
    if (status < 300) return json
    throw new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 500)}`)
  }
