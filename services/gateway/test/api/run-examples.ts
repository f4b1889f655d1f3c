// Sends examples to the product one after the other. What stands for something in them (ids, secrets, times) is taken for
// what the product answers in its place: the same for the same, from then on in requests and answers alike.
import type { Example } from '@svc/contract/openapi/example'
import { isChosen } from '@svc/contract/openapi/example-names'
import { services } from '@svc/contract/services'
import type { Operation } from '@svc/contract/core/operation'
import { ask } from '../answers.ts'

export interface ExampleResult {
  readonly example: Example
  readonly expected: unknown
  /** With the names of the example in the place of what the product answered. */
  readonly answered: unknown
}

export interface Scene {
  /** Versioned root. */
  readonly baseUrl: string
  /** What is there already: by the name in the examples. */
  readonly known: Record<string, string>
  /** The headers of who sends an example; called when the example is due. */
  sendersHeaders(example: Example, actual: (text: string) => string): Record<string, string>
}

/**
 * What an answer has in the place of these differs from run to run, and is not a name that comes again. Four letters, as a
 * hint has, stand in other texts by chance.
 */
const passing: Record<string, (answered: unknown) => boolean> = {
  address: () => true,
  user_agent: () => true,
  last_used_at: () => true,
  remaining: answered => typeof answered === 'number' && answered > 0,
  resets_in_seconds: answered => typeof answered === 'number' && answered >= 0,
  hint: answered => typeof answered === 'string' && /^[0-9A-Za-z]{4}$/.test(answered),
}

/** Strings that stand for others, by the key under which they are. */
const names: Record<string, RegExp> = {
  token: /^sk_svc_[0-9A-Za-z]{40}$/,
  secret: /^ak_svc_[0-9A-Za-z]{40}$/,
  credential: /^ik_svc_[0-9A-Za-z]{40}$/,
  short_hash: /^[1-9A-HJ-NP-Za-km-z]{12}$/,
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
    results.push({ example, expected, answered: named('', expected, answered) })
  }
  return results

  function send(example: Example) {
    const { service, operation, request } = example
    const { http }: Operation = (services[service].operations as Record<string, Operation>)[
      operation
    ] as Operation
    if (!http) throw new Error(`${service}.${operation} has no route`)
    const { params = {}, query = {}, headers = {}, body } = request
    const path = http.path.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(actual(params[key] ?? '')))
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]) => [key, actual(String(value))]),
    )
    const sent = body === undefined ? undefined : actual(JSON.stringify(body))
    return ask(`${scene.baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method: http.method,
      headers: {
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, actual(value)])),
        ...scene.sendersHeaders(example, actual),
      },
      ...(sent !== undefined && { body: sent }),
    })
  }

  /** Takes each name that is new for what was answered in its place, if it has the form. */
  function learn(key: string, expected: unknown, answered: unknown): void {
    if (typeof expected === 'string' && typeof answered === 'string') {
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

  /** The answer in the words of the example. */
  function named(key: string, expected: unknown, answered: unknown): unknown {
    if (passing[key]) return passing[key](answered) ? expected : answered
    if (typeof answered === 'string') return replaceAll(answered, nameOf)
    if (typeof expected === 'number' && typeof answered === 'number' && key.endsWith('_at')) {
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

/** Within two months of now: a time that the product has chosen. */
const isUnixTime = (seconds: number) => Math.abs(seconds - Date.now() / 1000) < 62 * 24 * 3600

function replaceAll(text: string, names: Map<string, string>): string {
  let replaced = text
  for (const [from, to] of names) replaced = replaced.replaceAll(from, to)
  return replaced
}
