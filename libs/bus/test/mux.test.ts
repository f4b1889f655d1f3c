// Calls and events, which build on it, are tested on real servers: call.test.ts, events.test.ts, move.test.ts.
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import { openMux, type Unanswered } from '../src/mux.ts'
import { type FakeServer, fakeScene } from './fake-servers.ts'

interface Question {
  readonly subject: string
  readonly body: string
  readonly deadline: number
}

async function scene() {
  const { bus, from: server } = await fakeScene()
  let time = 0
  const mux = openMux<Question, string>(bus, {
    read(msg, { subject }) {
      if (msg.string() === 'bad') throw new Error(`bad answer to ${subject}`)
      return `${subject}: ${msg.string()}`
    },
    unanswered(why: Unanswered, { subject }) {
      if (subject === 'forgiven') return why
      throw new Error(`${subject} ${why}`)
    },
    deadlineOf: ({ deadline }) => deadline,
    now: () => time,
  })
  const ask = (subject: string, deadline = 1000, body = '') => mux.ask({ subject, body, deadline }, {})
  return { bus, server, mux, ask, moveTo: (to: number) => (time = to) }
}

const questions = ({ published }: FakeServer) => published.filter(({ reply }) => reply !== '')
const asked = (server: FakeServer, count: number) =>
  waitUntil('the questions', () => questions(server).length === count, { everyMs: 1 })

test('each reply goes to its request, in any order', async () => {
  const { server, mux, ask } = await scene()
  const subjects = Array.from({ length: 50 }, (_, n) => `subject-${n}`)
  const answers = subjects.map(subject => ask(subject))
  expect(mux.waiting).toBe(50)
  await asked(server, 50)
  for (const { subject, reply } of questions(server).toReversed()) server.answer(reply, `of ${subject}`)
  expect(await Promise.all(answers)).toEqual(subjects.map(subject => `${subject}: of ${subject}`))
  expect(mux.waiting).toBe(0)
})

test('a reply that cannot be read fails only its own request', async () => {
  const { server, ask } = await scene()
  const answers = Promise.allSettled([ask('a'), ask('b')])
  await asked(server, 2)
  const [a, b] = questions(server)
  server.answer(a?.reply ?? '', 'bad')
  server.answer(b?.reply ?? '', 'good')
  expect(await answers).toMatchObject([
    { reason: { message: 'bad answer to a' } },
    { status: 'fulfilled', value: 'b: good' },
  ])
})

test('a request ends at its deadline, and a later reply is ignored', async () => {
  const { server, mux, ask, moveTo } = await scene()
  const answers = Promise.allSettled([ask('a', 1000), ask('forgiven', 1000), ask('c', 1001)])
  await asked(server, 3)
  moveTo(1000)
  await waitUntil('the end of two', () => mux.waiting === 1, { everyMs: 1 })
  for (const { reply } of questions(server)) server.answer(reply, 'late or not')
  expect(await answers).toMatchObject([
    { reason: { message: 'a late' } },
    { value: 'late' },
    { value: 'c: late or not' },
  ])
})

test('nothing is sent if no time is left, or if it is too large for the bus', async () => {
  const { server, mux, ask } = await scene()
  await expect(ask('a', 0)).rejects.toThrow('a unsent')
  expect(await ask('forgiven', 0)).toBe('unsent')
  await expect(ask('a', 1000, 'x'.repeat(1_048_577))).rejects.toThrow('a too large')
  expect(mux.waiting).toBe(0)
  const next = ask('next')
  await asked(server, 1)
  server.answer(questions(server)[0]?.reply ?? '', '!')
  expect(await next).toBe('next: !')
})

test('a loss ends requests in progress and refuses new ones until the connection is back', async () => {
  const { bus, server, mux, ask } = await scene()
  const answers = Promise.allSettled([ask('a'), ask('forgiven')])
  await asked(server, 2)
  server.clients.at(-1)?.destroy()
  expect(await answers).toMatchObject([{ reason: { message: 'a lost' } }, { value: 'lost' }])
  expect(mux.waiting).toBe(0)
  await expect(ask('b')).rejects.toThrow('b unsent')
  await waitUntil('its return', () => bus.connected)
})

test('a reply that arrived another way ends the requests that it is for', async () => {
  const { mux, ask } = await scene()
  const [a, b] = [ask('a'), ask('b')]
  mux.answer(({ subject }) => subject === 'a', 'otherwise')
  expect(await a).toBe('otherwise')
  expect(mux.waiting).toBe(1)
  mux.answer(() => true, 'all')
  expect(await b).toBe('all')
})
