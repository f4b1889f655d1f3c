/** Whole random requests for one operation of the OpenAPI document. */
import { anyCharacter } from '@svc/testing/any-character'
import fc from 'fast-check'
import type { Route } from './openapi-answers.ts'
import { type Known, bodyBytes, near } from './openapi-arbitrary.ts'

export interface RandomRequest {
  /** With the query, relative to the versioned root. */
  readonly path: string
  readonly headers: [name: string, value: string][]
  readonly body: Uint8Array | undefined
}

export interface Senders {
  readonly known: Known
  /** `Authorization` headers of callers who may call everything, and of others. */
  readonly admitted: readonly string[]
  readonly others: readonly string[]
}

export function randomRequest({ path, method, operation }: Route, { known, admitted, others }: Senders) {
  const named = (place: string) =>
    fc.tuple(
      ...operation.parameters
        .filter(parameter => parameter.in === place)
        .map(({ name, required, schema }) =>
          fc
            .option(near(schema, known, name, 30), { nil: undefined, freq: required || known[name] ? 25 : 1 })
            .map(value => [name, value === undefined ? undefined : asText(value)] as const),
        ),
    )
  const described = operation.requestBody?.content['application/json']
  const body = described
    ? mostly(bodyBytes(described.schema, known), fc.constant(new Uint8Array()))
    : fc.uint8Array()
  return fc
    .record({
      params: named('path'),
      query: named('query'),
      headers: named('header'),
      otherQuery: mostly(fc.constant([]), fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 3 })),
      otherHeaders: mostly(fc.constant([]), fc.array(fc.tuple(fc.constantFrom(...otherHeaders), headerText))),
      type: mostly(fc.constant('application/json'), headerText),
      credential: mostly(fc.constantFrom(...admitted), fc.oneof(fc.constantFrom(...others), headerText)),
      body: method === 'GET' ? fc.constant(undefined) : body,
    })
    .map(({ params, query, headers, otherQuery, otherHeaders, type, credential, body }): RandomRequest => {
      const search = String(new URLSearchParams([...present(query), ...otherQuery]))
      return {
        path: fill(path, new Map(params)) + (search && `?${search}`),
        headers: [
          ['authorization', credential],
          ...(body ? [['content-type', type] as [string, string]] : []),
          ...present(headers),
          ...otherHeaders,
        ].map(([name = '', value = '']) => [name, headerSafe(value)]),
        body,
      }
    })
}

const mostly = <Usual, Other>(usual: fc.Arbitrary<Usual>, other: fc.Arbitrary<Other>) =>
  fc.oneof<fc.MaybeWeightedArbitrary<Usual | Other>[]>(
    { weight: 15, arbitrary: usual },
    { weight: 1, arbitrary: other },
  )

const otherHeaders = [
  'traceparent',
  'accept',
  'content-encoding',
  'svc-caller',
  'svc-context',
  'if-match',
  'idempotency-key',
  'x-other',
]

const headerText = fc.string({ unit: anyCharacter, maxLength: 80 })

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 2000)

const present = (pairs: (readonly [string, string | undefined])[]) =>
  pairs.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))

const fill = (path: string, values: Map<string, string | undefined>) =>
  path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(utf8(values.get(name) ?? '')))

/** The UTF-8 bytes of a header value, one character each, as HTTP sends them. */
const headerSafe = (value: string) =>
  Buffer.from(Buffer.from(value).filter(byte => byte === 9 || (byte >= 0x20 && byte !== 0x7f)))
    .toString('latin1')
    .trim()

/** Without halves of surrogate pairs, which cannot be encoded. */
const utf8 = (value: string) => Buffer.from(value).toString()
