/** The hosts of `npm run rehearsal`; where none can be made, this says why. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { waitUntil } from '@svc/local/wait-until'
import { compareEvents } from '@svc/testing/rehearsal/audit-events'
import { startBalancer } from '@svc/testing/rehearsal/balancer'
import { makeHosts, namespaces, removeLeftovers, whyNotPermitted } from '@svc/testing/rehearsal/hosts'
import { all, failedWithin, failuresInFlight, refusedLater } from '@svc/testing/rehearsal/checks'
import { lateWrites, type Write } from '@svc/testing/rehearsal/journal'
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

test.skipIf(reason).each(['net_admin', 'sys_admin'])(
  'root without CAP_%s is told in one line why there are no hosts',
  capability => {
    const hosts = fileURLToPath(import.meta.resolve('@svc/testing/rehearsal/hosts'))
    const script = `const { whyNotPermitted } = await import('${hosts}'); console.log(whyNotPermitted())`
    const limits = [`--bounding-set=-${capability}`, `--inh-caps=-${capability}`]
    const command = [...limits, process.execPath, '--input-type=module', '-e', script]
    const said = execFileSync('setpriv', command, { encoding: 'utf8' })
    expect(said).toMatch(/^hosts cannot be made here \(.*Operation not permitted.*\)\n$/)
    expect(namespaces().filter(name => name.endsWith('-try-1'))).toEqual([])
  },
)

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
    // It did not wait for the rest of the start.
    expect(said).not.toContain('the product is up')
    expect(namespaces().filter(name => name.includes(`-${child.pid}-`))).toEqual([])
  },
  120_000,
)

test.each([
  [['--only', 'nothing'], /There is no step nothing/],
  [['--connections', '0'], /from 1/],
  [['--only', 'roll', '--write', 'docs/reliability.md'], /needs every step/],
])('%j is refused in words', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

describe('figures', () => {
  const exchange = (
    startedAt: number,
    endedAt: number,
    failure?: string,
    rest: Partial<Exchange> = {},
  ): Exchange => ({
    kind: 'create offer',
    startedAt,
    endedAt,
    sentAt: startedAt,
    ok: failure === undefined,
    failure,
    documented: true,
    gateway: 'gateway-1',
    key: '',
    id: undefined,
    ...rest,
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
      { failed: 1, inFlight: 1 },
    ])
  })

  test('a call that outlives the pause to the next fault counts against the recovery from the first', () => {
    const hanging = exchange(3000, 8000, '504 Timeout')
    const { faults } = measure([hanging, exchange(7000, 7010)], [fault(1000), fault(6500)])
    expect(faults.map(({ failed, backMs, inFlight }) => ({ failed, backMs, inFlight }))).toEqual([
      { failed: 1, backMs: 2000, inFlight: 0 },
      { failed: 0, backMs: 0, inFlight: 0 },
    ])
  })

  test('in flight is what the victim has a part in, and had when it was killed', () => {
    const exchanges = [
      exchange(990, 1010),
      exchange(990, 1010, undefined, { kind: 'edit settings' }),
      exchange(1005, 6005, '504 Timeout', { kind: 'edit settings' }),
      exchange(1030, 1040, undefined, { kind: 'edit settings' }),
      exchange(980, 1020, 'connection broken', { gateway: 'gateway-2' }),
    ]
    const inFlight = (rest: Partial<Fault>) =>
      measure(exchanges, [fault(1000, { doneAt: 1010, ...rest })]).faults[0]?.inFlight
    expect(inFlight({ kinds: ['edit settings'] })).toBe(2)
    expect(inFlight({ gateway: 'gateway-2' })).toBe(1)
    expect(inFlight({})).toBe(4)
    expect(inFlight({ connections: 7 })).toBe(7)
  })

  test('more failures than there were in flight do not pass', () => {
    const failures = [exchange(990, 1010, '503'), exchange(1200, 1210, '503')]
    expect(failuresInFlight(measure(failures, [fault(1000)]))).toEqual([
      'at 1000: failures: 2, with 1 in flight',
    ])
  })

  test.each([
    ['of what was under way may be 504', exchange(400, 1100, '504 Timeout'), []],
    [
      'later must say 503',
      exchange(1100, 1110, '500 Internal'),
      ['failures other than 503 of later requests: 1'],
    ],
    ['must come soon after the fault', exchange(900, 1300, '503'), ['the slowest failure: after 300 ms']],
    ['must come soon after its request', exchange(2000, 2400, '503'), ['the slowest failure: after 400 ms']],
  ])('a failure without a bus %s', (_what, failure, problems) => {
    const figures = measure([failure], [fault(1000)])
    expect(all(refusedLater, failedWithin(250))(figures)).toEqual(problems.map(what => `at 1000: ${what}`))
  })

  test('what was committed after the deadline of all that asked for it is late', () => {
    const write = (key: string, committedAt: number): Write => ({
      kind: 'create offer',
      id: 'off_1',
      key,
      committedAt,
    })
    const asked = (key: string, sentAt: number | undefined) =>
      exchange(0, 6000, '504 Timeout', { key, sentAt })
    const exchanges = [asked('a', 1000), asked('b', 1000), asked('b', 7000), asked('c', undefined)]
    const late = (...writes: Write[]) => lateWrites(writes, exchanges, 1_000_000).map(({ key }) => key)
    expect(late(write('a', 1_006_100))).toEqual([])
    expect(late(write('a', 1_011_000))).toEqual(['a'])
    expect(late(write('b', 1_011_000), write('c', 1_020_000), write('d', 1_020_000))).toEqual([])
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

test('a write without its event, and an event without a write, are counted', () => {
  const write = (kind: Write['kind'], id: string): Write => ({ kind, id, key: '', committedAt: 0 })
  const writes = [
    write('create offer', 'off_1'),
    write('create offer', 'off_2'),
    write('edit settings', 'clus_1'),
    write('edit settings', 'clus_1'),
    write('revoke token', 'tok_1'),
  ]
  const stored = [
    { id: 'evt_1', type: 'offers.created' as const, aggregate_id: 'off_1' },
    { id: 'evt_1', type: 'offers.created' as const, aggregate_id: 'off_1' },
    { id: 'evt_2', type: 'offers.created' as const, aggregate_id: 'off_seed' },
    { id: 'evt_3', type: 'compute_settings.updated' as const, aggregate_id: 'clus_1' },
    { id: 'evt_4', type: 'api_tokens.revoked' as const, aggregate_id: 'tok_1' },
    { id: 'evt_5', type: 'api_tokens.revoked' as const, aggregate_id: 'tok_1' },
  ]
  expect(compareEvents(writes, stored)).toEqual({ untold: 2, unmade: 1 })
})

test('clients come back to a gateway that was away', async () => {
  const answer = (_: IncomingMessage, response: ServerResponse) => response.end('{}')
  const servers = await Promise.all(
    ['one', 'two'].map(async name => {
      const server = createServer(answer).listen(await freePort(), '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { name, url, readyUrl: url }
    }),
  )
  const balancer = startBalancer(servers)
  onTestFinished(() => balancer.stop())
  const connection = balancer.connection()
  onTestFinished(connection.close)
  const asked = new Set<string>()
  for (let count = 0; count < 130; count++) {
    asked.add((await connection.send({ method: 'GET', path: '/', headers: {} })).gateway)
  }
  expect([...asked].sort()).toEqual(['one', 'two'])
  const connections = (name: string) => balancer.connectionsTo(name, 0, performance.now())
  expect(connections('one') + connections('two')).toBeGreaterThanOrEqual(3)
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
