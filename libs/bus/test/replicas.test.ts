import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { createReplicas } from '../src/replicas.ts'

const echo = 'rpc.offers.echo'

/** The replicas that calls go to, after the one by which NATS discovers. */
function subjectsOf(replicas: ReturnType<typeof createReplicas>, count: number) {
  return Array.from({ length: count }, () => replicas.choose(echo)?.subject)
}

test.each(['', 'a b', 'a.b', '>', '*', 'a\r\nPUB', 'x'.repeat(33)])(
  'a reply from %j, which is no id of a replica, teaches nothing',
  id => {
    const replicas = createReplicas()
    for (const one of ['A', id, id]) replicas.learn(echo, one)
    expect(subjectsOf(replicas, 3)).toEqual([undefined, undefined, undefined])
  },
)

test('calls that end after their replica has left do not count for it once it is back', () => {
  const replicas = createReplicas(() => 0)
  for (const id of ['A', 'B']) replicas.learn(echo, id)
  replicas.choose(echo)
  const calls = Array.from({ length: 10 }, () => replicas.choose(echo))
  const atA = calls.filter(call => call?.subject.endsWith('.A'))
  expect(atA).toHaveLength(5)
  atA[0]?.forget()
  replicas.learn(echo, 'A')
  for (const call of atA) call?.end(false)
  // B has five under way, and A none: so the first five are A's, and of the next two each has one.
  const next = subjectsOf(replicas, 7).map(subject => subject?.at(-1))
  expect(next.slice(0, 5)).toEqual(['A', 'A', 'A', 'A', 'A'])
  expect(next.slice(5).sort()).toEqual(['A', 'B'])
})

test('between equals NATS chooses, where one was not heard of for longer than it stays after it has left', () => {
  let time = 0
  const replicas = createReplicas(() => time)
  const hear = () => ['A', 'B'].map(id => replicas.learn(echo, id))
  hear()
  // By it NATS discovers.
  replicas.choose(echo)
  time = 200
  replicas.choose(echo)?.end(false)
  time = 201
  expect(replicas.choose(echo)).toBeUndefined()
  hear()
  const busy = replicas.choose(echo)
  time = 402
  expect(replicas.choose(echo)?.subject).toMatch(busy?.subject.endsWith('A') ? /B$/ : /A$/)
})

test('calls that failed count for a second, so a replica that fails at once is not called most', () =>
  onOwnClock(async clock => {
    const replicas = createReplicas(() => 0)
    for (const id of ['A', 'B']) replicas.learn(echo, id)
    replicas.choose(echo)
    const calls = Array.from({ length: 10 }, () => replicas.choose(echo))
    for (const call of calls) if (call?.subject.endsWith('.A')) call.end(true)
    const next = () => subjectsOf(replicas, 2).map(subject => subject?.at(-1))
    expect(next().sort()).toEqual(['A', 'B'])
    clock.tick(1000)
    expect(next()).toEqual(['A', 'A'])
  }))
