import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDataDir } from '../src/data-dir-lock.ts'
import { tempFolder } from './temp-folder.ts'

test('the second start on a data folder is refused, naming the first, until that one is done', async () => {
  const folder = await tempFolder()
  const lock = await lockDataDir(folder)
  await expect(lockDataDir(folder)).rejects.toThrow(`process ${process.pid}`)
  await lock.release()
  expect((await lockDataDir(folder)).tookOver).toBe(false)
})

test.each([
  ['a process that is gone', { pid: 2 ** 22 + 1, id: 'x' }],
  ['a number that belongs to another process now', { pid: process.pid, started: 'boot:1', id: 'x' }],
])('of many that find the lock of %s, exactly one holds it then', async (_, holder) => {
  const folder = await tempFolder()
  await writeFile(join(folder, 'lock'), JSON.stringify(holder))
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(folder)))
  // Not always one that took it over: another may come just when the old one has been removed.
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
