// Statements that are composed of parts: PostgreSQL gets one text, the same each time.
import { unhurried } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { compose, type Fragment, fragment } from '../src/sql-fragment.ts'
import { databaseScene, open } from './database/database-scene.ts'

const statement = (strings: TemplateStringsArray, ...values: unknown[]) => compose(strings, values)
/** With parameters numbered as by the driver. */
const shown = ({ strings, values }: Fragment) => ({
  text: strings.reduce((text, next, at) => `${text}$${at}${next}`),
  values,
})

describe('text', () => {
  const columns = fragment`id, name`
  const own = (workspace: string) => fragment`workspace_id = ${workspace}`

  test.each<[string, Fragment, string, unknown[]]>([
    ['no fragment', statement`select ${1}, ${2}`, 'select $1, $2', [1, 2]],
    ['text alone', statement`select ${columns} from t`, 'select id, name from t', []],
    ['nothing but a fragment', statement`${columns}`, 'id, name', []],
    [
      'side by side',
      statement`${columns}${own('ws')}${columns}`,
      'id, nameworkspace_id = $1id, name',
      ['ws'],
    ],
    [
      'parameters around it and in it',
      statement`select ${1} from t where ${own('ws')} limit ${2}`,
      'select $1 from t where workspace_id = $2 limit $3',
      [1, 'ws', 2],
    ],
    [
      'one in another',
      statement`with x as (${fragment`select ${columns} from t where ${own('a')} and n > ${5}`}) select ${6}`,
      'with x as (select id, name from t where workspace_id = $1 and n > $2) select $3',
      ['a', 5, 6],
    ],
    ['a parameter that is no text', statement`${fragment`${null}`}, ${['a']}`, '$1, $2', [null, ['a']]],
  ])('%s', (_what, composed, text, values) => {
    expect(shown(composed)).toEqual({ text, values })
  })

  test('what only looks like a fragment is a parameter', () => {
    const forged = { strings: ['drop table t'], values: [] }
    expect(shown(statement`select ${forged}`)).toEqual({ text: 'select $1', values: [forged] })
  })
})

describe('the same strings each time', () => {
  const list = (which: 'all' | 'named', name = '') =>
    statement`select ${which === 'all' ? fragment`id` : fragment`id, ${name}::text`} from t where n = ${1}`

  test('for the same parts, whatever the values', () => {
    expect(list('named', 'a').strings).toBe(list('named', 'b').strings)
    expect(list('all').strings).toBe(list('all').strings)
  })

  test('others for other parts, and if a parameter replaces one', () => {
    const either = (part: unknown) => statement`select ${part}`
    const texts = [list('named'), list('all'), either(fragment`1`), either(1)].map(({ strings }) => strings)
    expect(new Set(texts).size).toBe(4)
    expect(either(fragment`1`).strings.join('$')).toBe('select 1')
  })

  test('the template itself if there is no fragment', () => {
    const strings = ((strings: TemplateStringsArray, _: number) => strings)`select ${1}`
    expect(compose(strings, [1])).toEqual({ strings, values: [1] })
    expect(compose(strings, [1]).strings).toBe(strings)
  })

  test('they cannot be changed', () => {
    const { strings } = list('all')
    expect(Object.isFrozen(strings)).toBe(true)
    expect(Object.isFrozen(strings.raw)).toBe(true)
  })
})

describe('at PostgreSQL', () => {
  databaseScene()

  test('each text is prepared once', async () => {
    const sql = open().within(unhurried())
    const above = (n: number) => fragment`m.n > ${n}::bigint`
    const count = async (part: Fragment, factor: number) => {
      const [row] = await sql<{ n: number }>`/* test.count */
        select count(*) * ${factor}::bigint as n from marks m where ${part} and ${above(0)}`
      return row?.n
    }
    await sql`insert into marks (n, word) select n, 'even' from generate_series(2, 10, 2) n`
    expect(await count(above(4), 1)).toBe(3)
    expect(await count(above(6), 10)).toBe(20)
    expect(await count(fragment`m.word = ${'odd'}`, 1)).toBe(0)
    const prepared = await sql`
      select from pg_prepared_statements where starts_with(statement, '/* test.count */')`
    expect(prepared.length).toBe(2)
  })

  test('a part may have jsonb among its parameters', async () => {
    const sql = open().within(unhurried())
    const part = fragment`${sql.json({ word: 'here' })} ->> ${'word'}::text`
    expect(await sql`select ${part} as word`).toEqual([{ word: 'here' }])
  })
})
