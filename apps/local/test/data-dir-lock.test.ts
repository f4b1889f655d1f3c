import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDataDir } from '../src/data-dir-lock.ts'
import { tempFolder } from './temp-folder.ts'

test('the second start on a data folder is refused, naming the first, until that one has ended', async () => {
  const folder = await tempFolder()
  const lock = await lockDataDir(folder)
  await expect(lockDataDir(folder)).rejects.toThrow(`process ${process.pid}`)
  await lock.release()
  expect((await lockDataDir(folder)).tookOver).toBe(false)
})

test.each([
  ['a process that is gone', { pid: 2 ** 22 + 1, id: 'x' }],
  ['a number that belongs to another process now', { pid: process.pid, started: 'boot:1', id: 'x' }],
])('exactly one of many starts that find the lock of %s gets it', async (_, holder) => {
  const folder = await tempFolder()
  await writeFile(join(folder, 'lock'), JSON.stringify(holder))
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(folder)))
  // Not always the one that took it over: another may arrive just when the old lock has been removed.
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
