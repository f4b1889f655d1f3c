// Sends examples to the product one after the other. Placeholders in them (ids, secrets, times) are bound to what the
// product answers in their place, and from then on stand for that in requests and answers.
import type { Example } from '@svc/contract/openapi/example'
import { isChosen } from '@svc/contract/openapi/example-names'

export interface ExampleResult {
  readonly example: Example
  readonly expected: unknown
  /** With the example's placeholders instead of what the product answered. */
  readonly answered: unknown
  readonly status: number
  readonly requestId: string | null
}

export interface Scene {
  /** Versioned root. */
  readonly baseUrl: string
  /** What exists already, by its placeholder in the examples. */
  readonly known: Record<string, string>
  /** The headers for an example; called when its turn comes. */
  sendersHeaders(
    example: Example,
    actual: (text: string) => string,
  ): Record<string, string> | Promise<Record<string, string>>
}

/**
 * Values of these differ from run to run, and are not bound as placeholders: four letters, as in a hint, occur in other
 * texts by chance.
 */
const passing: Record<string, (answered: unknown) => boolean> = {
  address: () => true,
  user_agent: () => true,
  last_used_at: () => true,
  date: answered => typeof answered === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(answered),
  remaining: answered => typeof answered === 'number' && answered > 0,
  resets_in_seconds: answered => typeof answered === 'number' && answered >= 0,
  sequence: answered => typeof answered === 'number' && answered > 0,
  cursor: answered => typeof answered === 'string' && /^[A-Za-z0-9_-]+$/.test(answered),
  attempts: answered => Array.isArray(answered),
  ended: answered => typeof answered === 'number' && answered >= 0,
  user_code: answered => typeof answered === 'string' && /^[A-Z]{4}-[A-Z]{4}$/.test(answered),
  verification_uri: answered => typeof answered === 'string' && /\/confirm\?code=/.test(answered),
  hint: answered => typeof answered === 'string' && /^[0-9A-Za-z]{4}$/.test(answered),
}

/** Placeholder strings, by the key under which they occur. */
const names: Record<string, RegExp> = {
  token: /^sk_svc_[0-9A-Za-z]{40}$/,
  secret: /^(ak_svc_[0-9A-Za-z]{40}|whsec_[0-9A-Za-z+/]{43}=)$/,
  credential: /^ik_svc_[0-9A-Za-z]{40}$/,
  short_hash: /^[1-9A-HJ-NP-Za-km-z]{12}$/,
  reference: /^[0-9A-Z]{4}-[0-9A-Z]{4}$/,
  licence: /^eyJ[\w-]+\.[\w-]+\.[\w-]{86}$/,
  kid: /^[\w-]{43}$/,
  x: /^[\w-]{43}$/,
  y: /^[\w-]{43}$/,
  etag: /^[A-Za-z0-9_-]{8,64}$/,
  next_cursor: /^[A-Za-z0-9_-]+$/,
}
const typeId = /^([a-z]+)_[0-9a-z]{26}$/

export async function runExamples(story: readonly Example[], scene: Scene): Promise<ExampleResult[]> {
  const actualOf = new Map(Object.entries(scene.known))
  const nameOf = new Map(Object.entries(scene.known).map(([name, actual]) => [actual, name]))

  const actual = (text: string) => replaceAll(text, actualOf)
  const results: ExampleResult[] = []
  for (const example of story) {
    const { answer } = example
    const expected = { status: answer.status, headers: answer.headers ?? {}, body: answer.body }
    const response = await send(example)
    const answered = {
      status: response.status,
      headers: Object.fromEntries(
        Object.keys(expected.headers).map(name => [name, response.headers.get(name)]),
      ),
      body: response.text === '' ? undefined : JSON.parse(response.text),
    }
    if (answered.status === expected.status) learn('', expected, answered)
    const { status } = response
    const requestId = response.headers.get('svc-request-id')
    results.push({ example, expected, answered: named('', expected, answered), status, requestId })
  }
  return results

  async function send(example: Example) {
    const { params = {}, query = {}, headers = {}, body } = example.request
    const { method, path: route = '' } = example.definition.http ?? {}
    const path = route.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(actual(params[key] ?? '')))
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]) => [key, actual(String(value))]),
    )
    const sent = body === undefined ? undefined : actual(JSON.stringify(body))
    const response = await fetch(`${scene.baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, actual(value)])),
        ...(await scene.sendersHeaders(example, actual)),
      },
      ...(sent !== undefined && { body: sent }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Binds each new placeholder to what was answered in its place, if the format matches. */
  function learn(key: string, expected: unknown, answered: unknown): void {
    if (key === 'paid_through' && typeof expected === 'number') {
      actualOf.set(String(expected), String(answered))
    } else if (typeof expected === 'string' && typeof answered === 'string') {
      const prefix = typeId.exec(expected)?.[1]
      const form = names[key] ?? names[key === 'currentEtag' ? 'etag' : '']
      const fits = prefix ? typeId.exec(answered)?.[1] === prefix : form?.test(answered)
      if (!fits || actualOf.has(expected) || nameOf.has(answered)) return
      actualOf.set(expected, answered)
      nameOf.set(answered, expected)
    } else if (isObject(expected) && isObject(answered)) {
      for (const [each, value] of Object.entries(expected)) {
        learn(Array.isArray(expected) ? key : each, value, answered[each])
      }
    }
  }

  /** The answer with the example's placeholders. */
  function named(key: string, expected: unknown, answered: unknown): unknown {
    if (passing[key]) return passing[key](answered) ? expected : answered
    if (typeof answered === 'string') return replaceAll(answered, nameOf)
    if (
      typeof expected === 'number' &&
      typeof answered === 'number' &&
      (['at', 'auth_time', 'renew_after'].includes(key) || /_(at|through|until)$/.test(key))
    ) {
      return isChosen(expected) && isUnixTime(answered) ? expected : answered
    }
    if (!isObject(answered)) return answered
    const entries = Object.entries(answered).map(([each, value]) => [
      each,
      named(Array.isArray(answered) ? key : each, isObject(expected) ? expected[each] : undefined, value),
    ])
    return Array.isArray(answered) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Within some months of now: a time that the product has chosen. */
const isUnixTime = (seconds: number) => Math.abs(seconds - Date.now() / 1000) < 100 * 24 * 3600

function replaceAll(text: string, names: Map<string, string>): string {
  let replaced = text
  for (const [from, to] of names) replaced = replaced.replaceAll(from, to)
  return replaced
}
