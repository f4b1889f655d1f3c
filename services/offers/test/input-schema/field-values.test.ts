import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FieldValues } from '../../src/input-schema/input-schemas.ts'
import { ofWorkspace } from './of-workspace.ts'
import { sharedSchemas } from './shared-schemas.ts'

const schemas = ofWorkspace(sharedSchemas())

const never = async () => {
  throw new Error('the schema was known')
}

async function publish(schema: unknown): Promise<{ hash: string; schema_text: string }> {
  const checked = await schemas.check(schema)
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return checked
}

describe('each key must be a property of the root', () => {
  let hash: string
  beforeAll(async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`p${i}`, { type: 'integer' }]),
    )
    hash = (await publish({ properties, patternProperties: { '^x': {} }, additionalProperties: true })).hash
  })
  const validate = (values: FieldValues) => schemas.validate({ hash, load: never, values })

  test('defined ones are accepted', async () => {
    expect(await validate({ p0: 1, p11: 2 })).toEqual({ ok: true })
  })

  test.each(['q', 'x1', '', 'constructor', 'toString', 'hasOwnProperty', 'P0', 'p0 '])(
    '%j is unknown',
    async name => {
      expect(await validate({ [name]: 1 })).toEqual({
        ok: false,
        problems: [
          {
            path: [name],
            unknown: true,
            message: 'unknown property; known properties: p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more',
          },
        ],
      })
    },
  )

  test('so is __proto__', async () => {
    expect(await validate(JSON.parse('{"__proto__":1}'))).toMatchObject({
      problems: [{ path: ['__proto__'] }],
    })
  })

  test('every problem is reported, up to 50', async () => {
    expect(await validate({ q: 1, p0: 'x', p1: 1, r: 1, p2: null })).toMatchObject({
      problems: [{ path: ['q'] }, { path: ['r'] }, { path: ['p0'] }, { path: ['p2'] }],
    })
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`q${i}`, 1]))
    const answer = await validate(many)
    expect(answer.ok ? 0 : answer.problems.length).toBe(50)
    const both = await validate({ ...many, p0: 'x' })
    expect(both.ok ? 0 : both.problems.length).toBe(50)
  })
})

test('50 of many wrong values are reported', async () => {
  const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i}`, { type: 'integer' }]))
  const { hash } = await publish({ properties })
  const values = Object.fromEntries(Object.keys(properties).map(name => [name, 'x']))
  const answer = await schemas.validate({ hash, load: never, values })
  expect(answer.ok ? 0 : answer.problems.length).toBe(50)
})

test('names of Object.prototype are accepted if the schema defines them', async () => {
  const { hash } = await publish({ properties: { constructor: { type: 'string' }, toString: true } })
  expect(await schemas.validate({ hash, load: never, values: { constructor: 'x', toString: 1 } })).toEqual({
    ok: true,
  })
  expect(await schemas.validate({ hash, load: never, values: { constructor: 1 } })).toMatchObject({
    ok: false,
  })
})

test('a schema without properties accepts none', async () => {
  const { hash } = await publish({ properties: {} })
  expect(await schemas.validate({ hash, load: never, values: { a: 1 } })).toEqual({
    ok: false,
    problems: [{ path: ['a'], unknown: true, message: 'unknown property; the schema defines none' }],
  })
})

test('without values no schema is needed', async () => {
  expect(await schemas.validate({ hash: 'never seen', load: never, values: {} })).toEqual({ ok: true })
})

describe('the text is loaded once', () => {
  const text = JSON.stringify({ properties: { a: { type: 'string', title: 'loaded once' } } })
  const hash = createHash('sha256').update(text).digest('hex')

  test('for any number of concurrent validations', async () => {
    let loads = 0
    const load = async () => {
      loads++
      return text
    }
    expect(schemas.isReady(hash)).toBe(false)
    const validations = Array.from({ length: 50 }, (_, i) =>
      schemas.validate({ hash, load, values: { a: i % 2 ? i : 'x' } }),
    )
    const answers = await Promise.all(validations)
    expect(answers.map(answer => answer.ok)).toEqual(answers.map((_, i) => i % 2 === 0))
    expect(loads).toBe(1)
    expect(schemas.isReady(hash)).toBe(true)
  })

  test('the text is not loaded again afterwards', async () => {
    expect(await schemas.validate({ hash, load: never, values: { a: 'x' } })).toEqual({ ok: true })
  })

  test('a failed load rejects, and is tried again next time', async () => {
    const other = JSON.stringify({ properties: { a: { title: 'second try' } } })
    const lost = { hash: createHash('sha256').update(other).digest('hex'), values: { a: 1 } }
    const failing = async () => {
      throw new Error('no database')
    }
    await expect(schemas.validate({ ...lost, load: failing })).rejects.toThrow('no database')
    expect(await schemas.validate({ ...lost, load: async () => other })).toEqual({ ok: true })
  })

  test('a text that does not match the hash is a fault', async () => {
    const validate = schemas.validate({ hash: '0'.repeat(64), load: async () => text, values: { a: 1 } })
    await expect(validate).rejects.toThrow('does not have the hash')
  })

  test('a stored text that is no longer valid is a refusal', async () => {
    const bad = '{"properties":{"a":{"pattern":"("}}}'
    const stored = { hash: createHash('sha256').update(bad).digest('hex'), load: async () => bad }
    expect(await schemas.validate({ ...stored, values: { a: 1 } })).toMatchObject({ ok: false })
  })
})
