// In `npm test`: thread-queue.test.ts and hostile.test.ts.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '@svc/local/wait-until'
import { scaled } from '@svc/contract/core/deadline-scale'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import {
  createInputSchemas,
  type FieldValues,
  type InputSchemas,
} from '../../src/input-schema/input-schemas.ts'
import type { SchemaThreadsOptions } from '../../src/input-schema/threads/schema-threads.ts'
import { InputSchemaBusy } from '../../src/input-schema/threads/busy.ts'
import { endlessSchema, endlessValue, longSchema, longValue } from './hostile-values.ts'
import { ofWorkspace } from './of-workspace.ts'
import { patientLimits } from './patient-limits.ts'

const open: InputSchemas[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(schemas => schemas.close()))
})

function start(options: SchemaThreadsOptions = {}) {
  const lost: string[] = []
  const onTooExpensive = ({ why }: { why: string }) => lost.push(why)
  const schemas = createInputSchemas({
    ...patientLimits,
    // No limit of steps: here the time limit has to end the task.
    maxSteps: Number.POSITIVE_INFINITY,
    validateLimitMs: 250,
    onTooExpensive,
    ...options,
  })
  open.push(schemas)
  return { schemas: ofWorkspace(schemas), all: schemas, lost }
}

async function publish(schemas: ReturnType<typeof ofWorkspace>, schema: unknown) {
  const checked = await schemas.check(schema)
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  const load = async () => {
    throw new Error('the schema was known')
  }
  return (values: FieldValues) => schemas.validate({ hash: checked.hash, load, values })
}

const good = (title: string) => ({ title, properties: { a: { type: 'integer' } } })
const expensive = { ok: false, problems: [{ path: [], message: expect.stringContaining('too expensive') }] }
const mismatch = { ok: false, problems: [{ path: ['a'], message: 'must contain at least 1 matching items' }] }

test('a task over its limit is refused, and the others get correct results from a new thread', async () => {
  const { schemas, lost } = start()
  const bomb = await publish(schemas, longSchema('one'))
  const first = await publish(schemas, good('first'))
  const second = await publish(schemas, good('second'))
  const bombs = [bomb(longValue(30_000)), bomb(longValue(30_000)), bomb(longValue(1))]
  const answers = Array.from({ length: 100 }, (_, i) => (i % 2 ? first : second)({ a: i % 3 ? i : 'x' }))
  expect(await Promise.all(bombs)).toEqual([expensive, expensive, mismatch])
  const others = await Promise.all(answers)
  expect(others.map(other => other.ok)).toEqual(others.map((_, i) => i % 3 !== 0))
  expect(lost).toEqual(['time'])
})

test('a task that does not end holds up neither the process nor another workspace', async () => {
  const { schemas, all } = start({ threads: 2, validateLimitMs: 600_000 })
  const bomb = await publish(schemas, endlessSchema)
  const honest = await publish(ofWorkspace(all, 'ws_other'), good('meanwhile'))
  let ended = false
  const running = Promise.allSettled([bomb(endlessValue)]).finally(() => {
    ended = true
  })
  expect(await honest({ a: 1 })).toEqual({ ok: true })
  expect(ended).toBe(false)
  await all.close()
  expect(await running).toMatchObject([{ status: 'rejected', reason: expect.any(InputSchemaBusy) }])
})

test('two threads die at once, and all other callers get correct results', async () => {
  const { schemas, lost } = start({ threads: 2 })
  const bombs = [await publish(schemas, longSchema('one')), await publish(schemas, longSchema('two'))]
  const honest = await publish(schemas, good('honest'))
  const before = Array.from({ length: 40 }, (_, i) => honest({ a: i % 2 ? i : 'x' }))
  const refused = bombs.map(bomb => bomb(longValue(30_000)))
  const after = Array.from({ length: 40 }, (_, i) => honest({ a: i % 2 ? i : 'x' }))
  expect(await Promise.all(refused)).toEqual([expensive, expensive])
  const answers = await Promise.all([...before, ...after])
  expect(answers.map(answer => answer.ok)).toEqual(answers.map((_, i) => i % 2 === 1))
  expect(lost).toEqual(['time', 'time'])
})

test('values that were too expensive are refused unseen for a minute, then get another chance', async () => {
  let now = 1000
  const { schemas, lost } = start({ now: () => now })
  const validate = await publish(schemas, longSchema('clock'))
  expect(await validate(longValue(30_000))).toEqual(expensive)
  now += 59_999
  expect(await validate(longValue(30_000))).toEqual(expensive)
  expect(lost).toEqual(['time'])
  now += 2
  expect(await validate(longValue(30_000))).toEqual(expensive)
  expect(lost).toEqual(['time', 'time'])
})

test('only the values of the workspace that sent them are blamed', async () => {
  const { all, lost } = start()
  const [own, other] = [ofWorkspace(all, 'ws_own'), ofWorkspace(all, 'ws_other')]
  const [ours, theirs] = [await publish(own, longSchema('blame')), await publish(other, longSchema('blame'))]
  expect(await ours(longValue(30_000))).toEqual(expensive)
  expect(await Promise.all([ours(longValue(1)), theirs(longValue(1))])).toEqual([mismatch, mismatch])
  expect(lost).toEqual(['time'])
  expect(await theirs(longValue(30_000))).toEqual(expensive)
  expect(lost).toEqual(['time', 'time'])
})

test('a task that was too expensive is reported with its workspace, schema and version, and without values', async () => {
  const events: object[] = []
  const { schemas } = start({ onTooExpensive: event => events.push(event) })
  const { hash } = (await schemas.check(longSchema('report'))) as { hash: string }
  const load = () => Promise.reject(new Error('known'))
  expect(await schemas.validate({ hash, load, values: longValue(30_000) })).toEqual(expensive)
  expect(events).toEqual([
    {
      workspace: 'ws_own',
      schema_hash: hash,
      package_version_id: 'pkgv of ws_own',
      what: 'values',
      why: 'time',
    },
  ])
})

test('isReady() is true again once the replacement thread has compiled the schema', async () => {
  const { schemas } = start()
  const checked = await schemas.check(good('known'))
  const hash = checked.ok ? checked.hash : ''
  const bomb = await publish(schemas, longSchema('ready'))
  expect(schemas.isReady(hash)).toBe(true)
  expect(await bomb(longValue(30_000))).toEqual(expensive)
  const validate = schemas.validate({
    hash,
    load: () => Promise.reject(new Error('known')),
    values: { a: 1 },
  })
  expect(await validate).toEqual({ ok: true })
  expect(schemas.isReady(hash)).toBe(true)
})

test('a schema that takes too long to compile is refused, and the refusal is remembered', async () => {
  const { schemas, all, lost } = start({ compileLimitMs: 300 })
  const branches = Array.from({ length: 1000 }, (_, i) => ({
    if: { const: i },
    else: { not: { const: -i } },
  }))
  const schema = { properties: { a: { allOf: branches } } }
  expect(await schemas.check(schema)).toEqual(expensive)
  expect(await schemas.check(schema)).toEqual(expensive)
  expect(lost).toEqual(['time'])
  // Only for the workspace that published it.
  expect(await ofWorkspace(all, 'ws_other').check(schema)).toEqual(expensive)
  expect(lost).toEqual(['time', 'time'])
  expect(await schemas.check({ properties: {} })).toMatchObject({ ok: true })
})

test('a process that was stopped for longer than the limit does not blame the seller', async () => {
  const schemasModule = new URL('../../dist/input-schema/input-schemas.js', import.meta.url).href
  // Processor time; wall time may be eight times as much.
  const limitMs = scaled(500)
  const program = fileURLToPath(new URL('stopped-child.mjs', import.meta.url))
  const child = fork(program, [schemasModule, `${limitMs}`])
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = async () => (await once(child, 'message'))[0]
  expect(await said()).toBe('ready')
  child.send('go')
  expect(await said()).toBe('begun')
  child.kill('SIGSTOP')
  await delay(1.5 * limitMs)
  child.kill('SIGCONT')
  expect(await said()).toMatchObject({ ok: true })
})

test('a task that runs out of memory is refused, and its thread is replaced', async () => {
  const { schemas, lost } = start({ maxMemoryMb: 32, validateLimitMs: 20_000 })
  const bomb = await publish(schemas, longSchema('memory'))
  const honest = await publish(schemas, good('honest'))
  const [refused, answer] = await Promise.all([bomb(longValue(30_000)), honest({ a: 1 })])
  expect(refused).toEqual(expensive)
  expect(answer).toEqual({ ok: true })
  expect(lost).toEqual(['crash'])
})

test('tasks beyond the limit of the queue are refused', async () => {
  const { schemas } = start({ maxWaiting: 3 })
  const honest = await publish(schemas, good('busy'))
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => honest({ a: 1 })))
  // One runs and three wait.
  expect(answers.map(answer => answer.status)).toEqual([
    ...Array(4).fill('fulfilled'),
    'rejected',
    'rejected',
  ])
  expect(answers.at(-1)).toMatchObject({ reason: expect.any(InputSchemaBusy) })
  expect(await honest({ a: 1 })).toEqual({ ok: true })
})

test('no task waits longer than the limit', async () => {
  const { schemas } = start()
  const bomb = await publish(schemas, longSchema('wait'))
  const honest = await publish(schemas, good('wait'))
  const impatient = start({ maxWaitMs: 1 }).schemas
  // Its threads have not started yet.
  await expect(impatient.check(good('early'))).rejects.toThrow(InputSchemaBusy)
  const running = bomb(longValue(30_000))
  expect(await honest({})).toEqual({ ok: true })
  expect(await running).toEqual(expensive)
})

test('closing refuses waiting tasks and new ones', async () => {
  const { schemas } = start({ validateLimitMs: 20_000 })
  const bomb = await publish(schemas, longSchema('close'))
  const honest = await publish(schemas, good('close'))
  const waiting = Promise.allSettled([bomb(longValue(30_000)), honest({ a: 1 })])
  await schemas.close()
  expect(await waiting).toMatchObject(
    Array(2).fill({ status: 'rejected', reason: expect.any(InputSchemaBusy) }),
  )
  await expect(honest({ a: 1 })).rejects.toThrow(InputSchemaBusy)
})

test('schemas that a thread has dropped are compiled again', async () => {
  const { schemas } = start({ maxSchemas: 3 })
  const checked = []
  for (let i = 0; i < 8; i++) checked.push(await schemas.check(good(`kept ${i}`)))
  const hashes = checked.map(answer => (answer.ok ? answer.hash : ''))
  expect(hashes.map(hash => schemas.isReady(hash))).toEqual(hashes.map((_, i) => i > 4))
  const load = () => Promise.reject(new Error('its text is kept'))
  for (const hash of hashes)
    expect(await schemas.validate({ hash, load, values: { a: 1 } })).toEqual({ ok: true })
})

test('a thread keeps working when the schemas it keeps fill its heap', async () => {
  const { schemas, lost } = start({
    maxMemoryMb: 64,
    maxSchemaBytes: 64 * 1024 * 1024,
    compileLimitMs: 200_000,
  })
  // In either tier they would fill it twice.
  const branches = Array.from({ length: 300 }, (_, i) => ({
    maxProperties: i + 1,
    not: { const: i },
  }))
  for (let i = 0; i < 60; i++) {
    const validate = await publish(schemas, { title: `${i}`, properties: { a: { allOf: branches } } })
    expect(await validate({ a: { k1: 1 } })).toEqual({ ok: true })
  }
  expect(lost).toEqual([])
})

test('idle threads end, and start again for the next task', async () => {
  const { schemas, lost } = start({ threads: 2, idleMs: 20 })
  const honest = await publish(schemas, good('rests'))
  const { hash } = (await schemas.check(good('rests'))) as { hash: string }
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => honest({ a: i % 2 ? i : 'x' })))
    expect(answers.map(answer => answer.ok)).toEqual(answers.map((_, i) => i % 2 === 1))
    await waitUntil('the end of the threads', () => !schemas.isReady(hash), { everyMs: 5 })
  }
  expect(lost).toEqual([])
})
