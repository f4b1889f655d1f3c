// Every statement of the services finds its rows through an index, whatever the size of the tables.
import { forFile } from '@svc/testing/for-file'
import { fillTables } from '@svc/testing/statements/fill-tables'
import { readStatements } from '@svc/testing/statements/statements'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { startStatementScene } from './statement-scene.ts'

const scene = forFile(startStatementScene)

test('every statement has a unique name, and there are no fewer of them', async () => {
  const statements = await readStatements()
  expect(statements.filter(({ name }) => name === undefined)).toEqual([])
  const names = statements.map(({ name }) => name).sort()
  expect(names.filter((name, at) => name === names[at - 1])).toEqual([])
  // Whoever removes a statement lowers it; when files move, none may go out of sight.
  expect(names.length).toBeGreaterThanOrEqual(207)
})

test('with tables as small as they are at first, and none is left out', async () => {
  await scene.running.sql.unsafe('vacuum (analyze)')
  await everyStatementHasAnIndex()
})

test('with tables that have grown, and none is left out', async () => {
  const { stack, dev } = scene.running
  const { workspace_id, product_id, package_version_id } = dev
  const url = new URL('/svc', stack.databaseUrl)
  const silent = postgres(url.href, { connection: { 'auto_explain.log_min_duration': -1 } })
  await fillTables(silent, {
    offers: 20_000,
    tokens: 100_000,
    workspace_id,
    product_id,
    package_version_id,
  })
  await silent.end()
  await scene.forget()
  await everyStatementHasAnIndex()
})

async function everyStatementHasAnIndex() {
  await scene.executeAll()
  expect(await scene.unseen()).toEqual([])
  expect(scene.plans().filter(({ seqScans }) => seqScans.length > 0)).toEqual([])
  // None is written in a way in which it is not found in the sources.
  const found = new Set((await readStatements()).map(({ name }) => name))
  expect([...scene.seenNames()].filter(name => !found.has(name))).toEqual([])
  // Foreign keys are checked by statements of PostgreSQL's own.
  expect(scene.plans().some(({ query }) => /FOR KEY SHARE/.test(query))).toBe(true)
}
