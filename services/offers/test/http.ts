// What a client of the HTTP API sends and sees.
import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorEntry } from '@svc/contract/core/errors'
import { patience } from '@svc/testing/size'

export type Answer = {
  status: number
  /** Of an offer where it was created, else the envelope. */
  body: { id?: string; short_hash?: string; _tag?: string; errors?: ErrorEntry[] }
  /** The header `Idempotent-Replayed`. */
  replayed: string | null
}

export type Post = (body: unknown, options?: PostOptions) => Promise<Answer>
export type PostOptions = { key?: string; headers?: Record<string, string>; signal?: AbortSignal }

/** Makes the function that posts offers with one credential; a body that is a string is sent as it stands. */
export function poster(baseUrl: string, token: string): Post {
  return async (body, { key, headers, signal } = {}) => {
    const response = await fetch(`${baseUrl}/offers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    })
    return {
      status: response.status,
      body: (await response.json()) as Answer['body'],
      replayed: response.headers.get('idempotent-replayed'),
    }
  }
}

/** The same, trying again where there was no room. */
export function patientPoster(baseUrl: string, token: string): Post {
  const post = poster(baseUrl, token)
  return (body, options) => withRoom(() => post(body, options))
}

/**
 * As a client does: what was turned away for want of room, and not executed, is sent again. A thread that compiles schemas
 * ends when it has had nothing to do, and its start takes its time where many others compute.
 */
export async function withRoom<Body extends { status: number; body: { errors?: unknown } }>(
  send: () => Promise<Body>,
): Promise<Body> {
  for (const until = Date.now() + patience(30_000); ; ) {
    const answer = await send()
    if (!foundNoRoom(answer.body) || Date.now() > until) return answer
    await delay(10)
  }
}

export const foundNoRoom = (body: { errors?: unknown }): boolean =>
  (body.errors as ErrorEntry[] | undefined)?.[0]?.code === 50302

/** Status and, of every problem, code and path: what a test says of an answer. */
export const summaryOf = ({ status, body }: Answer) => [status, ...problemsIn(body.errors)]

export const problemsIn = (errors: ErrorEntry[] = []): [number, string][] =>
  errors.map(({ code, path = [] }) => [code, path.join('.')])
