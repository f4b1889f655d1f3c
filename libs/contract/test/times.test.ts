// Every time in the contract has the same upper bound, in requests and answers, over HTTP and on the bus.
import { expect, test } from 'vitest'
import type * as z from 'zod'
import type { ApiError } from '../src/core/errors.ts'
import { eventMessage, events } from '../src/events.ts'
import type { Operation } from '../src/core/operation.ts'
import { operations } from '../src/services.ts'
import { endOfTime } from '../src/core/text.ts'
import { parseInput } from '../src/core/validate.ts'

interface Found {
  readonly path: string[]
  readonly schema: z.core.$ZodType
}

/** Every number in a schema, with the names that lead to it, and `0` for an item. An unknown kind of schema fails the test. */
function numbersIn(schema: z.core.$ZodType, path: string[] = []): Found[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'number':
      return [{ path, schema }]
    case 'object':
      return Object.entries(def.shape).flatMap(([name, part]) => numbersIn(part, [...path, name]))
    case 'array':
      return numbersIn(def.element, [...path, '0'])
    case 'record':
      return numbersIn(def.valueType, path)
    case 'union':
      return def.options.flatMap(option => numbersIn(option, path))
    case 'optional':
    case 'nullable':
    case 'default':
      return numbersIn(def.innerType, path)
    case 'pipe':
      return [...numbersIn(def.in, path), ...numbersIn(def.out, path)]
    case 'string':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'unknown':
    case 'undefined':
    case 'transform':
      return []
    default:
      throw new Error(`${path.join('.')}: what is in a schema of the kind ${def.type}?`)
  }
}

const sentBy = ({ params, query, headers, body }: Operation) =>
  [params, query, headers, body].filter(schema => schema !== undefined)

const sent = operations.flatMap(({ service, name, operation }) =>
  sentBy(operation).flatMap(schema =>
    numbersIn(schema).map(found => ({ of: `${service}.${name}`, operation, ...found })),
  ),
)
const answered = operations.flatMap(({ service, name, operation: { output } }) =>
  output ? numbersIn(output).map(found => ({ of: `${service}.${name}`, ...found })) : [],
)
const published = Object.entries({ ...events, '*': eventMessage }).flatMap(([of, schema]) =>
  numbersIn(schema).map(found => ({ of, ...found })),
)

const nameOf = ({ of, path }: { of: string; path: string[] }) =>
  `${of}: ${path.filter(name => name !== '0').join('.')}`
const takes = ({ schema }: Found, value: number) => (schema as z.ZodType).safeParse(value).success
const isTime = ({ path, schema }: Found) =>
  /(^|_)(at|until)$/.test(path.at(-1) ?? '') || /unix/i.test((schema as z.ZodType).description ?? '')

test('the end of time is the last second of the year 9999', () => {
  expect(new Date(endOfTime * 1000).toISOString()).toBe('9999-12-31T23:59:59.000Z')
})

test('every time is accepted up to then and no later', () => {
  const times = [...sent, ...answered, ...published].filter(isTime)
  expect(times.map(nameOf)).toEqual(
    expect.arrayContaining([
      'offers.create_offer: expires_at',
      'offers.list_offers: data.expires_at',
      'auth-tokens.create_api_token: expires_at',
      'api_tokens.created: expires_at',
      '*: created_at',
    ]),
  )
  const wrong = times.filter(time => !takes(time, endOfTime) || takes(time, endOfTime + 1))
  expect(wrong.map(nameOf)).toEqual([])
})

test('no number in a request is unbounded, whatever a time may be called', () => {
  const unbounded = sent.filter(number => takes(number, Number.MAX_SAFE_INTEGER)).map(nameOf)
  expect(unbounded).toEqual([
    // What a seller says to their own program.
    'offers.create_channel_policy: policy.entitlements',
    // Bounded by the service, by configuration.
    'compute.update_compute_settings: max_machines',
  ])
})

test('a time past it is refused with 400 and the path of the field, the last one is not', () => {
  const refused = ({ operation, path }: (typeof sent)[number], value: number) => {
    const body = path.reduceRight<unknown>(
      (inside, name) => (name === '0' ? [inside] : { [name]: inside }),
      value,
    )
    try {
      parseInput(operation, { params: {}, query: new URLSearchParams(), headers: {}, body })
    } catch (error) {
      const { status, body } = error as ApiError
      expect(status).toBe(400)
      return (body as { errors: { path: string[] }[] }).errors.some(
        problem => problem.path.join('.') === path.join('.'),
      )
    }
    return false
  }
  const times = sent.filter(isTime)
  expect(times).not.toEqual([])
  const wrong = times.filter(time => refused(time, endOfTime) || !refused(time, endOfTime + 1))
  expect(wrong.map(nameOf)).toEqual([])
})
