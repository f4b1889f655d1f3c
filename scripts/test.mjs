// `npm test` and, with --all first, `npm run test:all`: installs, builds, and runs the tests; arguments go to
// vitest. With --left-out instead of --all it runs the named files, or those that `npm test` leaves out and that have
// no sibling, with only the oldest release of PostgreSQL; with --timed those of `npm test` that depend on time.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, prepareTests, root } from './prepare.mjs'
import { onlyTests, timedTests } from './test-tiers.mjs'

const [first, ...others] = process.argv.slice(2)
const isAll = first === '--all' || first === '--left-out'
const args = isAll || first === '--timed' ? others : process.argv.slice(2)
if (first === '--left-out' && others.length === 0) args.push(...(await onlyTests(root)))
if (first === '--timed') args.push(...(await timedTests(root)))
// Nothing outside this machine is requested, and reading its certificate authorities costs every start a tenth of a
// second.
const { NODE_EXTRA_CA_CERTS, ...inherited } = process.env
const env = { ...inherited, ...(isAll && { SVC_TEST_TIER: 'all' }) }

try {
  await prepare({ browser: true })
  if (isAll) await prepareTests({ allReleases: first === '--all' })
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const child = spawn(process.execPath, [vitest, 'run', ...args], { cwd: root, env, stdio: 'inherit' })
// The terminal's Ctrl-C reaches vitest directly; this process ends with it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code, signal) => {
  process.exitCode = signal ? 1 : code
})
