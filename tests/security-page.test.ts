// docs/security.md names the tests for what it promises, including every attack.
import { repoRoot } from '@svc/local/repo-root'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync(join(repoRoot, 'docs/security.md'), 'utf8')
const named = [...page.matchAll(/`((?:libs|services|tests)\/[^`]+\.ts)`/g)].map(([, path = '']) => path)

test('every test that the page names exists', () => {
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter(path => !existsSync(join(repoRoot, path)))).toEqual([])
})

test('the page names every attack', () => {
  const attacks = readdirSync(join(repoRoot, 'tests/attacks'), { recursive: true, encoding: 'utf8' })
    .map(path => `tests/attacks/${path}`)
    .filter(path => /^import .*\btest\b.* from 'vitest'$/m.test(textOf(path)))
  expect(attacks.length).toBeGreaterThan(3)
  expect(attacks.filter(path => !named.includes(path))).toEqual([])
})

const textOf = (path: string) => (path.endsWith('.ts') ? readFileSync(join(repoRoot, path), 'utf8') : '')
