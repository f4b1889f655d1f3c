// Every statement of the sources is executed by the oldest release of PostgreSQL that is supported, and by the others that are
// installed, and finds its rows through an index. The size of the tables does not matter: sessions have `enable_seqscan` off, so a
// table is read from its beginning to its end only where no index would do.
import { startStatementScene } from '@svc/testing/statements/statement-scene'
import { readStatements } from '@svc/testing/statements/statements'
import { describe, expect, onTestFinished, test } from 'vitest'
import { olderReleases } from './older-releases.ts'

test('every statement has a unique name, and there are no fewer of them', async () => {
  const statements = await readStatements()
  expect(statements.filter(({ name }) => name === undefined)).toEqual([])
  const names = statements.map(({ name }) => name).sort()
  expect(names.filter((name, at) => name === names[at - 1])).toEqual([])
  // To be lowered with a statement that is removed: otherwise a file that was moved is not read any more.
  expect(names.length).toBeGreaterThanOrEqual(207)
})

const thatOfStart = { name: 'that of npm start', binaries: undefined }
/** Where one older release is installed, it stands for that of npm start, on which the rest of the suite runs. */
const releases = olderReleases.length === 1 ? olderReleases : [thatOfStart, ...olderReleases]

describe.each(releases)('on $name', ({ name, binaries }) => {
  test('every statement is executed, none reads a table from its beginning to its end, and no service logs an error', async () => {
    const scene = await startStatementScene(binaries && { postgresBinaries: binaries })
    onTestFinished(() => scene.stop())
    const [row] = await scene.running.sql`show server_version_num`
    if (binaries) expect(`postgres-${Math.floor(row?.server_version_num / 10_000)}`).toBe(name)
    await scene.running.sql.unsafe('vacuum (analyze)')
    await scene.executeAll()
    expect(await scene.unseen()).toEqual([])
    expect(scene.plans().filter(({ seqScans }) => seqScans.length > 0)).toEqual([])
    // None is written in a way in which it is not found in the sources.
    const found = new Set((await readStatements()).map(({ name }) => name))
    expect([...scene.seenNames()].filter(name => !found.has(name))).toEqual([])
    // Foreign keys are checked by statements of PostgreSQL's own.
    expect(scene.plans().some(({ query }) => /FOR KEY SHARE/.test(query))).toBe(true)
    // The scene has an event refused on purpose.
    const errors = scene.running.lines.filter(line => /"level":[56]0/.test(line))
    expect(errors.filter(line => !line.includes('event refused by the stream'))).toEqual([])
  })
})
