// What a client of the HTTP API sends and sees.
import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorEntry } from '@svc/contract/core/errors'

export type Answer = {
  status: number
  /** The offer if it was created, otherwise the error envelope. */
  body: { id?: string; short_hash?: string; _tag?: string; errors?: ErrorEntry[] }
  /** The header `Idempotent-Replayed`. */
  replayed: string | null
}

export type Post = (body: unknown, options?: PostOptions) => Promise<Answer>
export type PostOptions = { key?: string; headers?: Record<string, string>; signal?: AbortSignal }

/** Returns a function that posts offers with one credential; a string body is sent unchanged. */
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

/** The same, retrying while the service has no room. */
export function patientPoster(baseUrl: string, token: string): Post {
  const post = poster(baseUrl, token)
  return (body, options) => withRoom(() => post(body, options))
}

/**
 * Retries, as a client does, what was refused for lack of room and therefore not executed. An idle thread that compiles schemas
 * ends, and starting a new one takes long on a busy machine.
 */
export async function withRoom<Body extends { status: number; body: { errors?: unknown } }>(
  send: () => Promise<Body>,
): Promise<Body> {
  for (;;) {
    const answer = await send()
    if (!foundNoRoom(answer.body)) return answer
    await delay(10)
  }
}

export const foundNoRoom = (body: { errors?: unknown }): boolean =>
  (body.errors as ErrorEntry[] | undefined)?.[0]?.code === 50302

/** The status, and the code and path of every problem. */
export const summaryOf = ({ status, body }: Answer) => [status, ...problemsIn(body.errors)]

export const problemsIn = (errors: ErrorEntry[] = []): [number, string][] =>
  errors.map(({ code, path = [] }) => [code, path.join('.')])
