// An address that sends more bytes than its share waits; nobody else does.
import { freePort } from '@svc/local/free-port'
import { fastify } from 'fastify'
import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { refusal } from '@svc/contract/core/errors'
import { refusalOf } from '../../../src/edge/http/refusals.ts'
import { createPace } from '../../../src/edge/limits/pace.ts'
import { paceAddresses } from '../../../src/edge/limits/pace-addresses.ts'

test('what costs more than the time that has passed waits, and of what is too much only the longest wait is remembered', () => {
  let time = 0
  const pace = createPace({ atOnceMs: 1000, longestMs: 5000, now: () => time })
  expect(pace('a', 1000)).toBeLessThanOrEqual(0)
  expect(pace('a', 300)).toBe(300)
  expect(pace('another', 300)).toBeLessThanOrEqual(0)
  time += 300
  expect(pace('a', 1)).toBe(1)
  expect(pace('a', 1e9)).toBeGreaterThan(5000)
  time += 5000
  expect(pace('a', 1)).toBe(1)
})

/** A server where the address is what the request says, with 1 KB a second for each. */
async function startPaced(longestMs = 60_000) {
  const leaving = new AbortController()
  const paced = paceAddresses(leaving.signal, { bytesPerSecond: 1000, burstSeconds: 1, longestMs })
  const app = fastify()
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers } = refusalOf(error) ?? refusal('internal')
    return reply.status(status).headers(headers).send(`refused with ${status}`)
  })
  app.decorateRequest('address', '')
  const came = new EventEmitter()
  const seen = (from: string) => once(came, from)
  app.addHook('onRequest', async (request, reply) => {
    request.address = String(request.headers.from)
    came.emit(request.address)
    await paced(request, reply)
  })
  app.addContentTypeParser(
    '*',
    (_request, payload, done) => void payload.resume().on('end', () => done(null)),
  )
  app.post('/', async () => 'answered')
  app.get('/', async () => 'answered')
  const url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const ask = async (from: string, bytes = 0) => {
    const answer = await fetch(url, { headers: { from, filling: 'a'.repeat(bytes) } })
    return answer.text()
  }
  return { leaving, ask, url, seen }
}

test('another address is answered while one waits, and who waits is answered when the gateway stops', async () => {
  const { leaving, ask } = await startPaced()
  let isAnswered = false
  const waits = ask('192.0.2.1', 15_000).then(text => {
    isAnswered = true
    return text
  })
  // The other networks of one subscriber are not others.
  const alike = ['2001:db8::1', '2001:db8::2'].map(from => ask(from, 9000))
  expect(await ask('192.0.2.2')).toBe('answered')
  expect(isAnswered).toBe(false)
  leaving.abort()
  expect(await waits).toBe('answered')
  expect(await Promise.all(alike)).toEqual(['answered', 'answered'])
  expect(await ask('192.0.2.1', 15_000)).toBe('answered')
})

test('behind a proxy, a body is counted for the address that sent it, not for the next one on its connection', async () => {
  const { leaving, ask, url, seen } = await startPaced()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const send = (from: string, body = '') => {
    const headers = { from, 'content-length': body.length }
    const sent = request(url, { agent, method: 'POST', headers })
    const answered = once(sent, 'response').then(([response]) => text(response as IncomingMessage))
    sent.flushHeaders()
    return { answered, finish: () => sent.end(body) }
  }
  const large = send('192.0.2.1', 'a'.repeat(9000))
  await seen('192.0.2.1')
  large.finish()
  expect(await large.answered).toBe('answered')
  const next = send('192.0.2.2')
  next.finish()
  await seen('192.0.2.2')
  const again = ask('192.0.2.1')
  expect(await Promise.race([next.answered.then(() => 'the next'), again.then(() => 'who sent it')])).toBe(
    'the next',
  )
  leaving.abort()
  expect(await again).toBe('answered')
})

test('an address that is too far behind is refused on each of its connections', async () => {
  const { ask } = await startPaced(10)
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('192.0.2.1', 9000)))
  // Each would have to wait for nine seconds and more.
  expect(answers).toEqual(Array(50).fill('refused with 429'))
  expect(await ask('192.0.2.2')).toBe('answered')
})
