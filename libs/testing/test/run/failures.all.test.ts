// What a run prints, so that a failure can be understood after its machine is gone.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failsForSome } from './failing/seen.ts'

/** Runs tests of which one passes and two fail. */
async function failingRun(env: Record<string, string> = {}): Promise<string> {
  const { VITEST_POOL_ID, VITEST_WORKER_ID, VITEST, ...rest } = process.env
  const config = join(repoRoot, 'libs/testing/test/run/failing/vitest.config.ts')
  const child = spawn(
    process.execPath,
    [join(repoRoot, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config],
    { cwd: repoRoot, env: { ...rest, NO_COLOR: '1', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const code = await new Promise(resolve => child.once('close', resolve))
  expect(code).toBe(1)
  return output
}

test('a failing run prints its progress, the last output of the processes, the seed, and the verdict at the end', async () => {
  const output = await failingRun()
  expect(output).toMatch(/^ *\[1\/1 \d+:\d\d 2 failed\] ❯ libs\/testing\/test\/run\/failing\/fails\.run\.ts/m)
  expect(output).toContain('The last 30 lines of the processes:\noffers | line 10 of the processes\n')
  expect(output).toContain('offers | line 39 of the processes')
  expect(output).not.toContain('offers | line 9 of the processes')
  const file = 'libs/testing/test/run/failing/fails.run.ts'
  const verdict = [`FAILED ${file} > fails`, `FAILED ${file} > fails for some numbers`, '1 passed, 2 failed']
  expect(output.trimEnd().split('\n').slice(-3)).toEqual(verdict)

  const printed = /seed: (-?\d+),/.exec(output)?.[1]
  const again = await failingRun({ SVC_TEST_SEED: printed ?? 'none' })
  // What that seed results in in this process.
  const { errorInstance } = fc.check(failsForSome, { endOnFailure: true, seed: Number(printed) })
  const seen = (errorInstance as Error).message
  expect(seen).toMatch(/^seen \d+ \d+$/)
  for (const one of [output, again]) expect(one).toContain(`${seen}\n`)
})
