// The programs of the guide to webhooks receive what the product sends, and refuse what it has not signed.
// In `npm test`: libs/outbound/test has the signatures.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, onTestFinished, test } from 'vitest'
import { blocksOf, expectLike } from './examples.ts'

let running: Product
let dir: string
beforeAll(async () => {
  running = await joinProduct()
  dir = await mkdtemp(join(tmpdir(), 'svc-receivers-'))
})
afterAll(async () => {
  await running?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

interface Started {
  readonly lines: string[]
}

/** Starts the program, with what it prints. */
type Start = (file: string, env: NodeJS.ProcessEnv) => Started

const printed = (stream: ChildProcess['stdout'], lines: string[] = []) => {
  if (stream) createInterface(stream).on('line', line => lines.push(line))
  return lines
}

const asServer =
  (command: string): Start =>
  (file, env) => {
    const child = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    return { lines: printed(child.stdout) }
  }

/** As `socat` does it. */
const forEachConnection: Start = (file, env) => {
  const lines: string[] = []
  const server = createServer(async socket => {
    const child = spawn('bash', [file], { env })
    printed(child.stderr, lines)
    socket.pipe(child.stdin)
    child.stdin.on('error', () => {})
    child.stdout.pipe(socket, { end: false })
    await once(child, 'close')
    socket.end()
  })
  server.listen(Number(env.PORT), '127.0.0.1')
  onTestFinished(() => void server.close())
  return { lines }
}

/** Not every machine has Python and OpenSSL. */
const has = (program: string, argument: string) => spawnSync(program, [argument]).status === 0

const receivers: [string, string, Start, boolean][] = [
  ['js', 'receive.mjs', asServer(process.execPath), true],
  ['python', 'receive.py', asServer('python3'), has('python3', '--version')],
  ['bash', 'receive.sh', forEachConnection, has('openssl', 'version')],
]

test.each(receivers.filter(([, , , runs]) => runs))('the receiver in %s', async (language, file, start) => {
  const page = await readFile(new URL('../../../src/web/docs/guides/webhooks.md', import.meta.url), 'utf8')
  const blocks = blocksOf(page)
  const program = blocks.find(block => block.language === language)?.code ?? ''
  await writeFile(join(dir, file), program)
  const { dev, baseUrls } = running
  const send = (method: string, path: string, body?: object) =>
    sender(baseUrls[0] ?? '')(method, path, dev.owner.session_token, { body, workspace: dev.workspace_id })
  await send('POST', '/clusters', { name: 'earlier' })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { id, secret } = await send('POST', '/webhook_endpoints', { url, event_types: ['clusters.*'] })
  onTestFinished(async () => void (await send('DELETE', `/webhook_endpoints/${id}`)))
  const { lines } = start(join(dir, file), { ...process.env, SECRET: String(secret), PORT: String(port) })
  const forged = () =>
    fetch(url, {
      method: 'POST',
      body: '{}',
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
        'webhook-signature': `v1,${'A'.repeat(43)}=`,
      },
    })
  await waitUntil('a refusal', async () => (await forged()).status === 400)
  const cluster = await send('POST', '/clusters', { name: 'received' })
  // A new endpoint may also receive what happened just before it: the cluster above, those of the demo.
  const received = () => lines.map(line => JSON.parse(line)).find(each => each.aggregate_id === cluster.id)
  await waitUntil('the event', () => Boolean(received()))
  const event = received()
  const shown = JSON.parse(blocks.find(block => block.language === 'json event')?.code ?? '')
  expectLike({ ...event, sequence: 0 }, { ...shown, sequence: 0 }, 'event')
  const deliveries = async () =>
    (await send('GET', `/webhook_endpoints/${id}/deliveries?state=delivered`)).data as { id: string }[]
  await waitUntil('its delivery', async () => (await deliveries()).some(each => each.id === event.id))
})
