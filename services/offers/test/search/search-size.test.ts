// docs/specification.md, R78: what a search costs PostgreSQL where a workspace has very much.
import type { Sql } from '@svc/runtime/database'
import { planning } from '@svc/runtime/database-connection'
import { newId } from '@svc/runtime/id'
import { compose } from '@svc/runtime/sql-fragment'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import postgres from 'postgres'
import { beforeAll, expect, test } from 'vitest'
import { matchOffers, maxScanned } from '../../src/search/match-offers.ts'
import { matchOrders } from '../../src/search/match-orders.ts'
import { wordsQuery } from '../../src/search/scoped-words.ts'
import { newCustomer, runOffers } from '../running-offers.ts'

const running = forFile(runOffers)
const many = sized(5000, 100_000)
const small = newId('ws')

interface Node {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Node[]
}

/** Each of the seller's offers has the words “common”, “lot” with its hundred, and one of its own; each has an order and an install. */
beforeAll(async () => {
  const { id, short_hash } = await running.newOffer({ max_uses: null })
  const customer = newCustomer('buyer@example.com')
  const order = (await running.order(short_hash, customer)).body.id
  await running.submit(order, customer)
  const word = (text: string) => `'''' || right(t.workspace_id, 8) || ${text} || ''' '`
  const numbered = (prefix: string) => `'${prefix}_0' || lpad(to_hex(n), 25, '0')`
  await running.sql.begin(async sql => {
    await sql`set local session_replication_role = replica`
    const copy = async (table: string, changed: string, which: string) => {
      const columns = await sql<{ name: string }[]>`
        select column_name as name from information_schema.columns
        where table_schema = 'offers' and table_name = ${table} and is_generated = 'NEVER'`
      const list = (of: string) => columns.map(({ name }) => of + name).join(', ')
      await sql.unsafe(`
        insert into offers.${table} (${list('')}) select ${list('copied.')} from offers.${table} t, generate_series(1, ${many}) n,
          jsonb_populate_record(t, jsonb_build_object(${changed})) copied where ${which}`)
    }
    await copy(
      'offers',
      `'id', ${numbered('offer')}, 'short_hash', 'h' || n,
        'words', ${word(`'common'`)} || ${word(`'lot' || n / 100`)} || ${word(`'own' || n`)}`,
      `t.id = '${id}'`,
    )
    const ofOrder = `'offer_id', ${numbered('offer')}`
    await copy(
      'orders',
      `'id', ${numbered('order')}, ${ofOrder}, 'email', 'b' || n || '@example.com'`,
      `t.id = '${order}'`,
    )
    await copy(
      'installs',
      `'id', ${numbered('inst')}, ${ofOrder}, 'order_id', ${numbered('order')}`,
      `t.order_id = '${order}'`,
    )
  })
  await running.sql`vacuum (analyze) offers.offers, offers.orders, offers.installs`
})

/** Rows that the nodes of the plans read, and those that came out of the index of words. */
async function workOf(text: string, workspace = running.seller) {
  const own = postgres(running.databaseUrl, { max: 1, connection: planning })
  const roots: Node[] = []
  const explain = (async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const { strings: parts, values: given } = compose(strings, values)
    const statement = parts.reduce((before, part, at) => `${before}$${at}${part}`)
    // Only a prepared statement has the plan that services have.
    const name = `searched_${roots.length}`
    await own.unsafe(`prepare ${name} as ${statement}`)
    const [row] = await own.unsafe(`explain (analyze, format json) execute ${name} (${given.map(literal)})`)
    roots.push(row?.['QUERY PLAN'][0].Plan)
    return []
  }) as unknown as Sql
  const wanted = { workspace, query: wordsQuery(workspace, text.split(' '), () => []), ordered: [] }
  await matchOffers(explain, wanted)
  await matchOrders(explain, wanted)
  await own.end()
  const nodes = roots.flatMap(nodesIn)
  const rows = (type: RegExp) =>
    nodes
      .filter(node => type.test(node['Node Type']))
      .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
  expect(nodes.filter(node => node['Node Type'] === 'Seq Scan')).toEqual([])
  return {
    read: rows(/^(Index Scan|Index Only Scan|Bitmap Heap Scan)$/),
    matched: rows(/^Bitmap Index Scan$/),
  }
}

const literal = (value: unknown): string =>
  Array.isArray(value) ? `array[${value.map(literal)}]::text[]` : `'${String(value).replaceAll("'", "''")}'`

const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)]

/** Rows by the index of offers twice, what they lead to, and rows by the index of orders; the rest are the newest ones. */
const bound = 8 * maxScanned

test('what every row has is found among the newest, and the index of words is not read', async () => {
  const { read, matched } = await workOf('com')
  expect(matched).toBe(0)
  expect(read).toBeLessThan(bound)
})

test('what few rows have is found by the index, which reads nothing else', async () => {
  const { read, matched } = await workOf(`own${many / 2}`)
  expect(matched).toBeLessThan(50)
  expect(read).toBeLessThan(bound)
})

test('what old rows have is read to a bound', async () => {
  expect((await workOf('lot1')).read).toBeLessThan(bound)
})

test('rows of another workspace cost a search nothing', async () => {
  expect(await workOf('com', small)).toEqual({ read: 0, matched: 0 })
})
