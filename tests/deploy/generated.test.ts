import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'

test('generated files match the manifest: npm run generate', () => {
  const check = () =>
    execFileSync(process.execPath, [join(repoRoot, 'deploy/generate.mjs'), '--check'], { stdio: 'pipe' })
  expect(check).not.toThrow()
})
