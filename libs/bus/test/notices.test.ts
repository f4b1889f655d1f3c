import { forFile } from '@svc/testing/for-file'
import { settingsNotice } from '@svc/contract/notices'
import { waitUntil } from '@svc/local/wait-until'
import { beforeAll, expect, test } from 'vitest'
import type { Bus } from '../src/connection.ts'
import { awaitNotices, sendNotice } from '../src/notices.ts'
import { keepingLog, silent, startTestBus } from './test-bus.ts'

const testBus = forFile(() => startTestBus())
let compute: Bus
let agent: Bus
beforeAll(async () => {
  compute = await testBus.connect('compute')
  agent = await testBus.connectAgent('clus_own')
})

/** Earlier notices have arrived, too. */
async function delivered() {
  await compute.nc.flush()
  await agent.nc.flush()
}

test('a notice reaches whoever waits for that subject, and nobody else', async () => {
  const heard: string[] = []
  const [own, other] = [settingsNotice('clus_own'), settingsNotice('clus_other')]
  for (const subject of [own, own]) awaitNotices(agent, subject, silent, () => void heard.push(subject))
  await agent.nc.flush()
  sendNotice(compute, own)
  sendNotice(compute, other)
  await delivered()
  expect(heard).toEqual([own, own])
})

test('a waiter that has ended receives nothing more', async () => {
  const subject = settingsNotice('clus_own')
  let heard = 0
  const end = awaitNotices(agent, subject, silent, () => heard++)
  await agent.nc.flush()
  sendNotice(compute, subject)
  await delivered()
  end()
  sendNotice(compute, subject)
  await delivered()
  expect(heard).toBe(1)
})

test('a notice of a process that has closed its bus is dropped', async () => {
  const leaving = await testBus.connect('compute')
  await leaving.close()
  expect(() => sendNotice(leaving, settingsNotice('clus_own'))).not.toThrow()
})

test('a subject without permission to subscribe is logged', async () => {
  const { log, kept } = keepingLog()
  awaitNotices(agent, settingsNotice('clus_other'), log, () => {})
  await waitUntil('the report', () => kept.some(({ message }) => message === 'cannot receive notices'))
})

test('a lost connection counts as a notice, and notices are received again afterwards', async () => {
  const alone = await startTestBus(1)
  const sender = await alone.connect('compute')
  const listener = await alone.connectAgent('clus_away')
  const subject = settingsNotice('clus_away')
  let heard = 0
  awaitNotices(listener, subject, silent, () => heard++)
  await alone.nats.kill('SIGKILL')
  await waitUntil('the loss', () => !listener.connected && !sender.connected)
  sendNotice(sender, subject)
  await alone.nats.restart()
  await waitUntil('the connections', () => listener.connected && sender.connected)
  await listener.nc.flush()
  expect(heard).toBe(1)
  sendNotice(sender, subject)
  await waitUntil('the notice', () => heard === 2)
  await alone.stop()
})
