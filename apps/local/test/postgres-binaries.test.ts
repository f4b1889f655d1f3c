import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyBinaries, linkLibraries } from '../src/servers/postgres-binaries.ts'
import { tempFolder } from './temp-folder.ts'

test('missing links between the libraries are made, by many at once and in a copy', async () => {
  const folder = await tempFolder()
  const native = join(folder, 'native')
  await mkdir(join(native, 'lib'), { recursive: true })
  await writeFile(join(native, 'lib/libx.so.1.2'), 'library')
  await writeFile(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]),
  )
  const copy = join(folder, 'native-18')
  await copyBinaries(native, copy)
  expect(await readFile(join(copy, 'lib/libx.so.1'), 'utf8')).toBe('library')

  expect(await Promise.all(Array.from({ length: 5 }, () => linkLibraries(native)))).not.toContain(false)
  expect((await lstat(join(native, 'lib/libx.so.1'))).isSymbolicLink()).toBe(true)
  expect(await readFile(join(native, 'lib/libx.so.1'), 'utf8')).toBe('library')
})
