// A small part of the suite, with a browser, PostgreSQL, NATS and the whole product, in environments that differ from ours.
// Sibling: all of `npm test`, which `.ci/run` runs in a combination of them.
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { afterAll, beforeAll, expect, test } from 'vitest'

const part = 'tests/product/odd/vitest.config.ts'

interface Oddity {
  readonly env?: Record<string, string>
  /** Words before the command. */
  readonly through?: readonly string[]
}

const shell = (script: string) => ['sh', '-euc', `${script}\nexec "$@"`, 'sh']
/** For a user who owns nothing but can read the project wherever it is. */
const unprivileged = [
  'unshare',
  '--mount',
  ...shell('mount --rbind "$PWD" /mnt; cd /mnt'),
  ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'],
]
const withoutIpv6 = [
  'unshare',
  '--net',
  ...shell('ip link set lo up; echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'),
]

let folder: string
let longFolder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-odd-'))
  longFolder = join(folder, `a folder with spaces ${'long'.repeat(48)}`)
  await mkdir(longFolder)
  await chmod(folder, 0o777)
  await chmod(longFolder, 0o777)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isRoot = process.platform === 'linux' && process.getuid?.() === 0

/** Several at once where none of them hides another: half a minute each is much. */
const odd = {
  'a TMPDIR that is long and holds a space, an umask of 077, LANG=C, a time zone fourteen hours ahead, no home folder, and, where root can become one, a user who owns nothing':
    () => ({
      env: {
        ...{ TMPDIR: longFolder, LANG: 'C', LC_ALL: 'C', TZ: 'Pacific/Kiritimati' },
        ...{ HOME: '/nonexistent', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '' },
      },
      through: [...(isRoot ? unprivileged : []), ...shell('umask 077')],
    }),
  'a language that is not installed, a time zone behind by half hours, NODE_ENV=production, a proxy that does not answer, and, where root can switch it off, no IPv6':
    () => ({
      env: {
        ...{ LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'America/St_Johns' },
        NODE_ENV: 'production',
        ...Object.fromEntries(['http_proxy', 'https_proxy', 'all_proxy'].map(name => [name, deadProxy])),
      },
      through: isRoot ? withoutIpv6 : [],
    }),
} satisfies Record<string, () => Oddity>
const deadProxy = 'http://127.0.0.1:9'

/** The last lines of a run of that small part. */
async function run({ env = {}, through = [] }: Oddity): Promise<{ code: number | null; output: string }> {
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, TEST, NODE_ENV, ...rest } = process.env
  const [program = '', ...args] = [
    ...through,
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    // Nothing is written into the project, since an unprivileged user may not.
    ...['--configLoader=runner', '--cache=false', '--maxWorkers=1', `--config=${part}`],
  ]
  const child = spawn(program, args, {
    cwd: repoRoot,
    env: { ...rest, NO_COLOR: '1', SVC_TEST_TIER: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-20_000)
    })
  }
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  return { code, output }
}

async function expectSuitePasses(oddity: Oddity): Promise<void> {
  const { code, output } = await run(oddity)
  expect(code, output).toBe(0)
  expect(output.trimEnd().split('\n').at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/)
}

for (const [name, oddity] of Object.entries(odd)) {
  test(`the suite passes with ${name}`, () => expectSuitePasses(oddity()))
}
