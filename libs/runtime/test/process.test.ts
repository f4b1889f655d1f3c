import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { describe, expect, onTestFinished, test } from 'vitest'

const script = fileURLToPath(new URL('program.mjs', import.meta.url))

interface Program {
  readonly child: ChildProcess
  readonly base: string
  /** Lines of the log. */
  log(): Record<string, unknown>[]
  stderr(): string[]
  /** Status and signal, once it has ended. */
  readonly ended: Promise<unknown[]>
  get(path: string): Promise<{ status: number; body: unknown }>
}

async function launch(part: string, env: Record<string, string> = {}): Promise<Program> {
  const port = await freePort()
  const child = spawn(process.execPath, [script, part], {
    env: { PATH: process.env.PATH, HEALTH_HOST: '127.0.0.1', HEALTH_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout?.on('data', chunk => {
    out += chunk
  })
  child.stderr?.on('data', chunk => {
    err += chunk
  })
  const base = `http://127.0.0.1:${port}`
  return {
    child,
    base,
    log: () => linesOf(out).map(line => JSON.parse(line)),
    stderr: () => linesOf(err),
    ended: once(child, 'close'),
    async get(path) {
      const response = await fetch(base + path)
      return { status: response.status, body: await response.json() }
    },
  }
}

const linesOf = (text: string) => text.split('\n').filter(line => line !== '')

async function launchReady(part: string, env?: Record<string, string>): Promise<Program> {
  const program = await launch(part, env)
  await waitUntil('ready', async () => (await program.get('/readyz')).status === 200)
  return program
}

/** Its drain goes on when the test says so. */
const patient = { DRAIN_TIMEOUT_MS: '600000' }
const inOrder = ['stop receiving', 'finish', 'close'].flatMap(name => [`begin ${name}`, `end ${name}`])

describe('a stop', () => {
  test('by SIGTERM drains in order and ends with 0', async () => {
    const program = await launchReady('slow drain', patient)
    program.child.kill('SIGTERM')
    await waitUntil('the drain', () => program.stderr().length > 0)
    await waitUntil('not ready', async () => (await program.get('/readyz')).status === 503)
    expect((await program.get('/livez')).status).toBe(200)
    program.child.kill('SIGUSR1')
    expect(await program.ended).toEqual([0, null])
    expect(program.stderr()).toEqual(inOrder)
    expect(program.log().map(({ msg }) => msg)).toEqual(['ready', 'draining', 'stopped'])
  })

  test('by SIGINT, and requested twice, happens once', async () => {
    const program = await launchReady('slow drain', patient)
    program.child.kill('SIGINT')
    await waitUntil('the drain', () => program.stderr().length > 0)
    program.child.kill('SIGINT')
    program.child.kill('SIGTERM')
    program.child.kill('SIGUSR1')
    expect(await program.ended).toEqual([0, null])
    expect(program.stderr()).toEqual(inOrder)
  })

  test('that takes too long ends with 1', async () => {
    const program = await launchReady('never drains', { DRAIN_TIMEOUT_MS: '300' })
    program.child.kill('SIGTERM')
    expect(await program.ended).toEqual([1, null])
    expect(program.stderr()).not.toContain('begin close')
    expect(program.log().at(-1)).toMatchObject({ msg: 'drain took too long', drain_timeout_ms: 300 })
  })

  test('that fails ends with 1', async () => {
    const program = await launchReady('fails to drain')
    program.child.kill('SIGTERM')
    expect(await program.ended).toEqual([1, null])
    expect(program.log().at(-1)).toMatchObject({ msg: 'drain failed', err: { message: 'no' } })
  })

  test('in the middle of the start ends it with 0', async () => {
    const program = await launch('slow start')
    await waitUntil('life', async () => (await program.get('/livez')).status === 200)
    expect(await program.get('/readyz')).toMatchObject({ status: 503, body: { ready: false } })
    program.child.kill('SIGTERM')
    expect(await program.ended).toEqual([0, null])
  })

  test('works without a log, and when the log is no longer read', async () => {
    const silent = await launchReady('plain', { LOG_LEVEL: 'silent' })
    const unread = await launchReady('plain')
    unread.child.stdout?.destroy()
    for (const { child } of [silent, unread]) child.kill('SIGTERM')
    expect(await silent.ended).toEqual([0, null])
    expect(silent.log()).toEqual([])
    expect(await unread.ended).toEqual([0, null])
  })
})

describe('an uncaught error', () => {
  test.each([
    ['throws', 'thrown'],
    ['rejects', 'rejected'],
  ])('(%s) is logged without its data, and ends the process with 1', async (part, message) => {
    const program = await launchReady(part)
    program.child.kill('SIGUSR1')
    expect(await program.ended).toEqual([1, null])
    // pino writes it at once, while an earlier line may be under way.
    const fatal = program.log().filter(({ level }) => level === 60)
    expect(fatal).toMatchObject([{ msg: 'uncaught exception', err: { type: 'Error', message } }])
    expect(JSON.stringify(fatal)).not.toMatch(/hunter2|x@y/)
    expect(program.stderr()).toEqual([])
  })
})

describe('health', () => {
  test('a port that is in use keeps the process from starting', async () => {
    const first = await launchReady('plain')
    const second = await launch('plain', { HEALTH_PORT: new URL(first.base).port })
    expect(await second.ended).toEqual([1, null])
    expect(second.stderr().join()).toContain('EADDRINUSE')
  })

  test('/livez and /readyz answer, and readiness follows its checks', async () => {
    const program = await launchReady('plain')
    expect(await program.get('/readyz')).toEqual({
      status: 200,
      body: { ready: true, checks: { bus: true } },
    })
    program.child.kill('SIGUSR2')
    await waitUntil('not ready', async () => (await program.get('/readyz')).status === 503)
    expect(await program.get('/readyz')).toEqual({
      status: 503,
      body: { ready: false, checks: { bus: false } },
    })
    expect(await program.get('/livez')).toEqual({ status: 200, body: { ready: true } })
    expect((await program.get('/other')).status).toBe(404)
    program.child.kill('SIGUSR2')
    await waitUntil('ready again', async () => (await program.get('/readyz')).status === 200)
  })
})

describe('a start that fails', () => {
  test('is reported in words, without a stack trace, and ends with 1', async () => {
    const program = await launch('cannot start')
    expect(await program.ended).toEqual([1, null])
    expect(program.stderr()).toHaveLength(1)
    expect(JSON.parse(program.stderr()[0] ?? '')).toEqual({
      level: 60,
      msg: 'cannot start',
      err: { type: 'Error', message: 'the schema is newer', code: 'X1' },
    })
  })

  test('because of its configuration names every problem at once', async () => {
    const program = await launch('plain', { HEALTH_PORT: 'x', LOG_LEVEL: 'loud', DRAIN_TIMEOUT_MS: '-5' })
    expect(await program.ended).toEqual([1, null])
    const [title, ...problems] = program.stderr()
    expect(title).toBe('The configuration is not valid:')
    expect(problems.map(line => line.trim().split(':')[0]).sort()).toEqual([
      'DRAIN_TIMEOUT_MS',
      'HEALTH_PORT',
      'LOG_LEVEL',
    ])
  })
})
