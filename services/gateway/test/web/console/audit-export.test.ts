import { addEvents } from '@svc/testing/add-events'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { Jar } from '../cookie-jar.ts'
import { type Seat, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

async function exported({ root, person }: Seat) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession(person))
  const { text, headers } = await jar.ask(`${root}/activity/audit-log.ndjson?type=offers.revoked`)
  const lines = text.split('\n').filter(line => line !== '')
  return {
    sequences: lines.map(line => (JSON.parse(line) as { sequence: number }).sequence),
    file: /filename="(.+)"/.exec(headers.get('content-disposition') ?? '')?.[1],
  }
}

test('an export has up to ten thousand events, and the name of its file says when there are more', async () => {
  const owner = await scene.newOwner()
  for (const [from, to, file] of [
    [1, 0, 'audit-log.ndjson'],
    [1, 10_000, 'audit-log.ndjson'],
    [10_001, 10_001, 'audit-log-first-10000.ndjson'],
  ] as const) {
    await addEvents(scene.stack.sql, owner.workspace, { from, to })
    const found = await exported(owner)
    expect(found.file).toBe(file)
    expect(found.sequences).toEqual(Array.from({ length: Math.min(to, 10_000) }, (_, at) => at + 1))
  }
})
