import { recallOfAll, recallSubject } from '@svc/contract/auth-tokens/leases'
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { answerRecalls, createRecallQuestions } from '../src/recalls.ts'
import { keepingLog, silent, startTestBus } from './test-bus.ts'

const testBus = forFile(startTestBus)

test('holders acknowledge a common question with their ids, after it was applied', async () => {
  const asker = await testBus.connect('auth-tokens')
  const applied: unknown[] = []
  for (const holder of ['first', 'second']) {
    const bus = await testBus.connect('gateway')
    const subjects = [recallOfAll, recallSubject(holder)]
    answerRecalls(bus, { holder, subjects }, silent, message => void applied.push(message))
    await bus.nc.flush()
  }
  const heard: string[] = []
  const question = createRecallQuestions(asker)({ n: 1 }, by => {
    expect(applied.length).toBeGreaterThan(heard.length)
    heard.push(by)
  })
  question.ask(recallOfAll)
  await waitUntil('two acknowledgements', () => heard.length === 2)
  expect(heard.toSorted()).toEqual(['first', 'second'])
  expect(applied).toEqual([{ n: 1 }, { n: 1 }])
})

test('a holder of the release before, which acknowledges without its id, is known by its subject', async () => {
  const [asker, bus] = await Promise.all([testBus.connect('auth-tokens'), testBus.connect('gateway')])
  bus.nc.subscribe(recallSubject('third'), { callback: (_error, msg) => void msg.respond() })
  await bus.nc.flush()
  const heard: string[] = []
  const question = createRecallQuestions(asker)({}, by => void heard.push(by))
  question.ask(recallSubject('third'), 'third')
  await waitUntil('an acknowledgement', () => heard.length > 0)
  expect(heard).toEqual(['third'])
})

test('a holder may acknowledge each repetition of a question', async () => {
  const { log, kept } = keepingLog()
  const [asker, bus] = await Promise.all([testBus.connect('auth-tokens'), testBus.connect('gateway', log)])
  const subjects = [recallSubject('fifth')]
  answerRecalls(bus, { holder: 'fifth', subjects }, silent, () => {})
  await bus.nc.flush()
  const heard: string[] = []
  const question = createRecallQuestions(asker)({}, by => void heard.push(by))
  for (let n = 0; n < 3; n++) question.ask(recallSubject('fifth'), 'fifth')
  await waitUntil('three acknowledgements', () => heard.length === 3)
  expect(kept).toEqual([])
})

test('a question that nobody hears, that could not be applied, or that has ended is not acknowledged', async () => {
  const [asker, bus] = await Promise.all([testBus.connect('auth-tokens'), testBus.connect('gateway')])
  const seen: unknown[] = []
  answerRecalls(bus, { holder: 'fourth', subjects: [recallSubject('fourth')] }, silent, message => {
    seen.push(message)
    if (seen.length === 1) throw new Error('not applied')
  })
  await bus.nc.flush()
  const heard: string[] = []
  const open = createRecallQuestions(asker)
  const question = open({ n: 1 }, by => void heard.push(by))
  question.ask(recallSubject('nobody'), 'nobody')
  question.ask(recallSubject('fourth'), 'fourth')
  await waitUntil('the first message', () => seen.length === 1)
  const ended = open({ n: 2 }, by => void heard.push(by))
  ended.ask(recallSubject('fourth'), 'fourth')
  ended.end()
  await waitUntil('the second message', () => seen.length === 2)
  // Whatever was acknowledged before it has arrived.
  await bus.nc.flush()
  await asker.nc.flush()
  expect(heard).toEqual([])
})
