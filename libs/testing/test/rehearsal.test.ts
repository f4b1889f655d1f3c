/** The hosts of `npm run rehearsal`; where none can be made, this says why. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repoRoot } from '@svc/local/repo-root'
import { waitUntil } from '@svc/local/wait-until'
import { makeHosts, namespaces, removeLeftovers, whyNotPermitted } from '@svc/testing/rehearsal/hosts'
import { type Fault, measure } from '@svc/testing/rehearsal/measure'
import { readOptions } from '@svc/testing/rehearsal/options'
import { writeReport } from '@svc/testing/rehearsal/report'
import { settingsEditor } from '@svc/testing/rehearsal/settings-editor'
import type { Exchange } from '@svc/testing/rehearsal/traffic'
import { describe, expect, onTestFinished, test } from 'vitest'

const reason = whyNotPermitted()
if (reason) process.stderr.write(`The hosts of the rehearsal are not tested: ${reason}.\n`)

describe.skipIf(reason)('hosts', () => {
  const run = (through: readonly string[], ...command: string[]) => {
    const [program = '', ...words] = [...through, ...command]
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const ours = () => namespaces().filter(name => name.includes(`-${process.pid}-`))

  test('reach each other by address and name, can be cut off and rejoined, and leave nothing behind', async () => {
    const network = makeHosts(['left', 'right'], { right: 'right.example' })
    onTestFinished(() => network.remove())
    expect(ours()).toHaveLength(3)
    const [left, right] = [network.host('left'), network.host('right')]
    expect(run(right.through, 'cat', '/etc/hosts')).toContain(`${left.address} left`)

    const [program = '', ...words] = right.through
    const script = `require('node:http').createServer((q, a) => a.end('here')).listen(8080, '${right.address}')`
    const server = spawn(program, [...words, process.execPath, '-e', script], { stdio: 'ignore' })
    const ended = new Promise(resolve => server.once('exit', resolve))
    const ask = (host: string) => {
      const get = `fetch('http://${host}:8080', { signal: AbortSignal.timeout(500) }).then(r => r.text()).then(console.log, () => console.log('nothing'))`
      return run(left.through, process.execPath, '-e', get).trim()
    }
    await waitUntil('it answers', () => ask(right.address) === 'here')
    expect(ask('right.example')).toBe('here')
    right.cutOff()
    expect(ask(right.address)).toBe('nothing')
    right.rejoin()
    await waitUntil('it answers again', () => ask(right.address) === 'here')

    network.remove()
    await ended
    expect(ours()).toEqual([])
    expect(existsSync(`/etc/netns/svc-host-${process.pid}-left`)).toBe(false)
  })

  test('of a run that is dead are removed by the next one', async () => {
    const hosts = fileURLToPath(import.meta.resolve('@svc/testing/rehearsal/hosts'))
    const script = `const { makeHosts } = await import('${hosts}'); makeHosts(['one']); console.log(process.pid)`
    const dead = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    const left = () => namespaces().filter(name => name.includes(`-${dead.trim()}-`))
    expect(left()).toHaveLength(2)
    removeLeftovers()
    expect(left()).toEqual([])
  })
})

test.skipIf(reason)(
  'Ctrl-C ends the rehearsal, its processes and its hosts',
  async () => {
    const script = join(repoRoot, 'libs/testing/dist/rehearsal/main.js')
    const program = `const { main } = await import('${script}'); process.exit(await main(['--quick']))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise(resolve => child.once('exit', resolve))
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    await waitUntil('it starts the product', () => said.includes('starting the product'))
    child.kill('SIGINT')
    expect(await ended).toBe(1)
    expect(namespaces().filter(name => name.includes(`-${child.pid}-`))).toEqual([])
  },
  120_000,
)

test.each([
  [['--only', 'nothing'], /There is no step nothing/],
  [['--connections', '0'], /from 1/],
])('%j is refused in words', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

describe('figures', () => {
  const exchange = (startedAt: number, endedAt: number, failure?: string): Exchange => ({
    kind: 'create offer',
    startedAt,
    endedAt,
    ok: failure === undefined,
    failure,
    documented: true,
    gateway: 'gateway-1',
    key: '',
    id: undefined,
  })
  const fault = (at: number, rest: Partial<Fault> = {}): Fault => ({
    what: `at ${at}`,
    at,
    doneAt: at,
    overAt: at,
    ...rest,
  })

  test('a failure is of the fault that it was in flight at', () => {
    const exchanges = [exchange(900, 6000, '504 Timeout'), exchange(4000, 4010), exchange(4990, 5010, '503')]
    const { faults } = measure(exchanges, [fault(1000), fault(5000)])
    expect(faults.map(({ failed, inFlight }) => ({ failed, inFlight }))).toEqual([
      { failed: 1, inFlight: 1 },
      { failed: 1, inFlight: 2 },
    ])
  })

  test('the recovery is as long as failures begin', () => {
    const after = Array.from({ length: 2000 }, (_, index) => exchange(1000 + index, 1001 + index))
    const exchanges = [...after, exchange(1300, 1310, '503 Unavailable')]
    expect(measure(exchanges, [fault(1000)]).faults[0]?.backMs).toBe(0)
    expect(
      measure([...exchanges, exchange(1300, 1310, '503 Unavailable')], [fault(1000)]).faults[0]?.backMs,
    ).toBe(300)
  })

  test('no answer is a hung call, but where the gateway was the one that failed', () => {
    const exchanges = [exchange(0, 6000, 'no answer')]
    expect(measure(exchanges, []).hung).toBe(1)
    expect(measure(exchanges, [fault(1000, { gateway: 'gateway-2' })]).hung).toBe(1)
    expect(measure(exchanges, [fault(1000, { gateway: 'gateway-1' })]).hung).toBe(0)
  })
})

test('an edit without an answer may be there or not; one that was acknowledged must be', () => {
  const editor = settingsEditor('clus_1')
  editor.found({ max_machines: 10, etag: 'a' })
  editor.next()
  editor.failed()
  expect([...editor.possible]).toEqual([10, 1])
  editor.found({ max_machines: 1, etag: 'b' })
  expect(editor.lost).toBe(0)
  editor.next()
  editor.acknowledged({ max_machines: 2, etag: 'c' })
  editor.found({ max_machines: 1, etag: 'b' })
  expect(editor.lost).toBe(1)
})

test('the table is written between its marks', async () => {
  const file = join(tmpdir(), `svc-rehearsal-${process.pid}.md`)
  onTestFinished(() => rm(file))
  await writeFile(file, 'a\n<!-- rehearsal: begin -->\nold\n<!-- rehearsal: end -->\nb\n')
  await writeReport(file, 'new')
  expect(await readFile(file, 'utf8')).toBe(
    'a\n<!-- rehearsal: begin -->\n\nnew\n\n<!-- rehearsal: end -->\nb\n',
  )
})
