/** The documented shapes of refusals, taken from docs/specification.md, R17 and R18, not from the contract. */
import { expect } from 'vitest'
import { z } from 'zod'

export const envelope = z.strictObject({
  _tag: z.string(),
  success: z.literal(false),
  errors: z
    .array(
      z.strictObject({
        code: z.int().min(40_000).max(59_999),
        message: z.string().min(1),
        path: z.array(z.string()).optional(),
        metadata: z.record(z.string(), z.string()).optional(),
      }),
    )
    .min(1)
    .max(50),
  result: z.strictObject({}),
})

export interface Refusal {
  readonly status: number
  readonly tag: string
  readonly code: number
}

export interface Answered {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

/** One of our refusals, in short form for the tables. */
export const refused = (tag: string, code: number): Refusal => ({
  status: Math.floor(code / 100),
  tag,
  code,
})

/** Checks status, content type, envelope, tag and first code. Returns the first entry. */
export function expectRefusal({ status, headers, text }: Answered, expected: Refusal) {
  expect({ status, type: headers.get('content-type'), text }).toMatchObject({
    status: expected.status,
    type: 'application/json; charset=utf-8',
  })
  const body = envelope.parse(JSON.parse(text))
  const [first] = body.errors
  expect({ tag: body._tag, code: first?.code }).toEqual({ tag: expected.tag, code: expected.code })
  // RFC 6750, 3.1: an error only if there was a token.
  const challenge = expected.code === 40102 ? 'Bearer error="invalid_token"' : 'Bearer'
  if (expected.status === 401) expect(headers.get('www-authenticate')).toBe(challenge)
  if (expected.status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
  return first
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
