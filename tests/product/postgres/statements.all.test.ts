// Every statement of the sources is executed by the oldest release of PostgreSQL that is supported, and by the others that are installed.
// On the release of npm start the rest of the suite runs (plans.all.test.ts).
import { describe, expect, onTestFinished, test } from 'vitest'
import { startStatementScene } from '../statement-scene.ts'
import { olderReleases } from './older-releases.ts'

describe.each(olderReleases)('on $name', ({ name, binaries }) => {
  test('every statement is executed, and no service logs an error', async () => {
    const scene = await startStatementScene(binaries)
    onTestFinished(() => scene.stop())
    const [row] = await scene.running.sql`show server_version_num`
    expect(`postgres-${Math.floor(row?.server_version_num / 10_000)}`).toBe(name)
    await scene.executeAll()
    expect(await scene.unseen()).toEqual([])
    // The scene has an event refused on purpose.
    const errors = scene.running.lines.filter(line => /"level":[56]0/.test(line))
    expect(errors.filter(line => !line.includes('event refused by the stream'))).toEqual([])
  })
})
