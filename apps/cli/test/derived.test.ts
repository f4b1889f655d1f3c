// Commands that only pass fields on: each example of the API, typed as a command, sends the request of the example and prints its
// answer. What the others do has tests of its own.
import { examplesOf } from '@svc/contract/openapi/all-examples'
import { commandOf } from '@svc/contract/openapi/reference'
import { operations } from '@svc/contract/services'
import { everything } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { isFinal } from '../src/confirm.ts'
import { canClear, type Field, fieldsOf } from '../src/derived/input-fields.ts'
import { keepingServer } from './keeping-server.ts'
import { svc } from './svc-here.ts'

const server = keepingServer()
const { asked, answers } = server

type Values = Record<string, unknown>

const derived = operations.flatMap(named => {
  const surface = commandOf(named)
  return surface && !surface.own ? [{ ...named, surface, fields: fieldsOf(named.operation, surface) }] : []
})

const valueAt = (part: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], part)

/** Null is typed where there is something to take away. */
function typed({ flag, said }: Field, value: unknown): string[] {
  if (value === null) return said?.none ? [`--${flag}`, said.none] : [`--no-${flag}`]
  if (value === true) return [`--${flag}`]
  if (Array.isArray(value)) return value.flatMap(one => [`--${flag}`, String(one)])
  return [`--${flag}`, typeof value === 'object' ? '-' : String(value)]
}

const cases = derived.flatMap(({ service, name, operation, surface, fields }) =>
  examplesOf({ service, name })
    .filter(({ answer }) => answer.status < 300)
    .map(({ request: { params = {}, query = {}, headers = {}, body = {} }, answer, summary }) => {
      const { workspaceParam, workspace } = operation.access
      const ids = Object.keys(operation.params?.shape ?? {}).filter(id => id !== workspaceParam)
      const given = fields.flatMap(field => {
        const value = valueAt(field.part === 'query' ? query : body, field.field)
        return value === undefined ? [] : [{ field, value }]
      })
      const isPositional = ({ field }: Field) => surface.positional?.includes(field)
      const input = given.find(({ value }) => value && typeof value === 'object' && !Array.isArray(value))
      const { 'idempotency-key': key, 'if-match': etag } = headers
      const words = [
        ...surface.name.split(' '),
        ...ids.map(id => params[id] ?? ''),
        ...given.flatMap(({ field, value }) => (isPositional(field) ? [String(value)] : [])),
        ...given.flatMap(({ field, value }) => (isPositional(field) ? [] : typed(field, value))),
        ...['limit', 'cursor'].flatMap(one =>
          query[one] === undefined ? [] : [`--${one}`, `${query[one]}`],
        ),
        ...(key ? ['--idempotency-key', key] : []),
        ...(etag ? ['--etag', etag] : []),
        ...(isFinal(operation) ? ['--yes'] : []),
      ]
      const path = operation.http?.path.replace(/\{(\w+)\}/g, (_, param) => params[param] ?? '')
      const sent = { method: operation.http?.method, path: `/v1${path}`, query, body, key, etag }
      return {
        ...{
          command: surface.name,
          summary,
          words,
          input: input && JSON.stringify(input.value),
          sent,
          answer,
        },
        ...{
          of: workspaceParam && params[workspaceParam],
          isScoped: workspace,
          id: params[ids.at(-1) ?? workspaceParam ?? ''],
        },
        columns: surface.columns?.map(column => column.split(': ')[0]).join('\t'),
      }
    }),
)

test('every command that only passes fields on has an example', () => {
  const shown = new Set(cases.map(({ command }) => command))
  // Its success needs Stripe.
  expect(derived.map(({ surface }) => surface.name).filter(name => !shown.has(name))).toEqual([
    'installs billing-portal',
  ])
})

describe('as in the example of the API', () => {
  // All answers are printed as JSON in the same way: in `npm test` one in four is.
  test.each(cases.map((one, at) => ({ ...one, withJson: everything || at % 4 === 0 })))(
    'svc $command: $summary',
    async ({ words, input, sent, answer, of, isScoped, id, columns, withJson }) => {
      const env = { ...server.env(), ...(of && { SVC_WORKSPACE: of }) }
      const run = (...more: string[]) => {
        answers.push({
          status: answer.status,
          body: answer.body === undefined ? '' : JSON.stringify(answer.body),
          headers: { ...answer.headers, 'idempotent-replayed': 'true' },
        })
        return svc([...words, ...more], env, input)
      }
      const text = await run()
      const json = withJson ? await run('--json') : undefined
      expect([text.code, json?.code ?? 0]).toEqual([0, 0])
      expect(asked).toHaveLength(withJson ? 2 : 1)
      for (const { method, url = '', headers, body } of asked) {
        const { pathname, searchParams } = new URL(url, server.url)
        expect({ method, path: pathname }).toEqual({ method: sent.method, path: sent.path })
        const query = Object.entries(sent.query).map(([name, value]) => [name, String(value)])
        expect(Object.fromEntries(searchParams)).toMatchObject(Object.fromEntries(query))
        expect(JSON.parse(body || '{}')).toEqual(sent.body)
        expect(headers['svc-context']).toBe(isScoped ? env.SVC_WORKSPACE : undefined)
        if (sent.key) expect(headers['idempotency-key']).toBe(sent.key)
        expect(headers['if-match']).toBe(sent.etag)
      }
      if (answer.body === undefined) {
        expect([text.out, json?.out ?? '']).toEqual(['', ''])
        expect(text.err).toMatch(new RegExp(`${id}\\.\\n$`))
        return
      }
      if (json) expect(JSON.parse(json.out)).toEqual(answer.body)
      const { id: made = '', data } = answer.body as { id?: string; data?: unknown }
      if (columns && Array.isArray(data) && data.length > 0) expect(text.out.split('\n')[0]).toBe(columns)
      else expect(text.out).toContain(made)
      if (sent.key) expect(text.err).toContain('This key was used before')
      const secret = /"(?:\w+_svc|whsec)_/.test(JSON.stringify(answer.body))
      expect(text.err.includes('it won’t be shown again.')).toBe(secret)
    },
  )
})

const clearing = derived.flatMap(({ operation, surface, fields }) =>
  fields
    .filter(field => operation.http?.method === 'PATCH' && canClear(field))
    .map(({ flag, field }) => ({ command: surface.name, flag, field, operation, etag: surface.etagOf })),
)

test.each(clearing)(
  'svc $command --no-$flag sends null',
  async ({ command, flag, field, operation, etag }) => {
    const { params, access } = operation
    const ids = Object.keys(params?.shape ?? {}).filter(id => id !== access.workspaceParam)
    answers.push({ body: '{}' })
    const words = [...command.split(' '), ...ids.map(() => 'id_1'), `--no-${flag}`]
    expect((await svc([...words, ...(etag ? ['--etag', 'x'] : [])], server.env())).code).toBe(0)
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ [field]: null })
  },
)

test('a payment after a time that is not known is confirmed with --after null', async () => {
  answers.push({ body: '{}' })
  const words = ['installs', 'confirm-payment', 'inst_1', '--after', 'null']
  expect((await svc(words, server.env())).code).toBe(0)
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ after: null })
})

test('without --etag the change is based on what is there now', async () => {
  answers.push({ body: '{"etag":"current"}' }, { body: '{}' })
  expect((await svc(['offers', 'update', 'offer_1', '--notes', 'x'], server.env())).code).toBe(0)
  expect(asked.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
    ['GET', undefined],
    ['PATCH', 'current'],
  ])
})
