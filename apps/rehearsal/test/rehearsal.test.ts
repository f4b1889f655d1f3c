/** The hosts of `npm run rehearsal`, or why none can be created here. */
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
import { startBalancer } from '@svc/rehearsal/balancer'
import { makeHosts, namespaces, removeLeftovers, whyNotPermitted } from '@svc/rehearsal/hosts'
import { readOptions } from '@svc/rehearsal/options'
import { writeReport } from '@svc/rehearsal/report'
import { settingsEditor } from '@svc/rehearsal/settings-editor'
import { describe, expect, onTestFinished, test } from 'vitest'

const reason = whyNotPermitted()
if (reason) process.stderr.write(`The hosts of the rehearsal are not tested: ${reason}.\n`)

describe.skipIf(reason)('hosts', () => {
  const run = (through: readonly string[], ...command: string[]) => {
    const [program = '', ...words] = [...through, ...command]
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const ours = () => namespaces().filter(name => name.includes(`-${process.pid}-`))

  test('reach each other by address and name, can be cut off and reconnected, and leave nothing behind', async () => {
    const network = makeHosts(['left', 'right'], { right: 'right.example' })
    onTestFinished(() => network.remove())
    expect(ours()).toHaveLength(3)
    const [left, right] = [network.host('left'), network.host('right')]
    expect(run(right.through, 'cat', '/etc/hosts')).toContain(`${left.address} left`)

    const [program = '', ...words] = right.through
    const script = `require('node:http').createServer((q, a) => a.end('here')).listen(8080, '${right.address}')`
    const server = spawn(program, [...words, process.execPath, '-e', script], { stdio: 'ignore' })
    const ended = new Promise(resolve => server.once('exit', resolve))
    // Bash starts faster than another Node.js process.
    const ask = (host: string, seconds = 60) => {
      const get = `exec 3<>/dev/tcp/${host}/8080 && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3`
      const command = `timeout ${seconds} bash -c "$1" 2>/dev/null || echo nothing`
      return run(left.through, 'bash', '-c', command, 'ask', get).trim()
    }
    await waitUntil('it answers', () => ask(right.address) === 'here')
    expect(ask('right.example')).toBe('here')
    right.cutOff()
    expect(ask(right.address, 0.5)).toBe('nothing')
    right.rejoin()
    await waitUntil('it answers again', () => ask(right.address) === 'here')

    network.remove()
    await ended
    expect(ours()).toEqual([])
    expect(existsSync(`/etc/netns/svc-host-${process.pid}-left`)).toBe(false)
  })

  test('left by a run that died are removed by the next one', async () => {
    const hosts = fileURLToPath(import.meta.resolve('@svc/rehearsal/hosts'))
    const script = `const { makeHosts } = await import('${hosts}'); makeHosts(['one']); console.log(process.pid)`
    const dead = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    const left = () => namespaces().filter(name => name.includes(`-${dead.trim()}-`))
    expect(left()).toHaveLength(2)
    removeLeftovers()
    expect(left()).toEqual([])
  })
})

test.skipIf(reason).each(['net_admin', 'sys_admin'])(
  'as root without CAP_%s, one line says why there are no hosts',
  capability => {
    const hosts = fileURLToPath(import.meta.resolve('@svc/rehearsal/hosts'))
    const script = `const { whyNotPermitted } = await import('${hosts}'); console.log(whyNotPermitted())`
    const limits = [`--bounding-set=-${capability}`, `--inh-caps=-${capability}`]
    const command = [...limits, process.execPath, '--input-type=module', '-e', script]
    const said = execFileSync('setpriv', command, { encoding: 'utf8' })
    expect(said).toMatch(/^hosts cannot be created here \(.*Operation not permitted.*\)\n$/)
    expect(namespaces().filter(name => name.endsWith('-try-1'))).toEqual([])
  },
)

test.skipIf(reason)('Ctrl-C ends the rehearsal, its processes and its hosts', async () => {
  const script = join(repoRoot, 'apps/rehearsal/dist/main.js')
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
})

test.each([
  [['--only', 'nothing'], /There is no step nothing/],
  [['--connections', '0'], /from 1/],
  [['--only', 'roll', '--write', 'docs/reliability.md'], /needs every step/],
])('%j is refused with a message', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

test('an unanswered edit may be there or not; an acknowledged one must be', () => {
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

test('clients reconnect to a gateway that was away', async () => {
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
