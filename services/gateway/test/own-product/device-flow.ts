// The device grant over HTTP: two gateways, two replicas of auth-tokens, from the first request to the token.

import { hashCredential } from '@svc/runtime/credential'
import { expect, test } from 'vitest'
import { expectOauthError, oauthScene } from '../edge/oauth/oauth-scene.ts'
import { joined } from './scene.ts'

// Each test has its own addresses.
const scene = oauthScene(joined)
const { start, poll, decide, enter, newPerson, whoIs, post } = scene

const from = (address: string) => ({ 'x-forwarded-for': address })

test('an address that requests too many codes is told when to try again; others are not affected', async () => {
  const ask = (address: string, at: number) =>
    post('/oauth/device_authorization', { client_id: 'svc-cli' }, { at: at % 2, headers: from(address) })
  // All but ten of the 200 that one address gets in ten minutes.
  await scene.stack.sql`
    insert into auth_tokens.attempts (bucket, times, touched_at)
    values (${`device_grants_per_address ${hashCredential('203.0.113.50')}`}, array_fill(now(), array[190]), now())`
  const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask('203.0.113.50', at)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectOauthError(answer, [429, 'temporarily_unavailable'])
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(600)
  }
  expect((await ask('203.0.113.51', 0)).status).toBe(200)
})

test('behind a trusted proxy the person sees the address that the proxy reports', async () => {
  const person = await newPerson()
  const seen = await enter(await start({ ...from('198.51.100.77'), 'user-agent': 'cli/2.0' }), person)
  expect(seen).toMatchObject({ grant: { address: '198.51.100.77', user_agent: 'cli/2.0' } })
  // What the client itself wrote comes before what the proxy added.
  const spoofed = await enter(await start(from('10.9.9.9, 198.51.100.78')), person)
  expect(spoofed).toMatchObject({ grant: { address: '198.51.100.78' } })
})

const pollsAtKill = 100
test(`a replica that is killed among ${pollsAtKill} polls neither issues a second token nor leaves a code that stays open`, async () => {
  const person = await newPerson()
  const grant = await start()
  await decide(grant, person, 'approved')
  const polls = Array.from({ length: pollsAtKill }, (_, at) => poll(grant, at % 2))
  await Promise.race(polls)
  scene.stack.stack.processes['auth-tokens'][0]?.kill('SIGKILL')
  const answers = await Promise.all(polls)
  answers.push(await poll(grant))
  const granted = answers.filter(({ status }) => status === 200)
  // None if the reply was lost with the replica: nobody has that session.
  expect(granted.length).toBeLessThanOrEqual(1)
  for (const { body } of granted) expect(await whoIs(String(body.access_token))).toBe(200)
  const outcomes = new Set(answers.map(({ status, body }) => (status === 200 ? 'granted' : body.error)))
  for (const outcome of outcomes)
    expect(['granted', 'invalid_grant', 'temporarily_unavailable']).toContain(outcome)
  const [opened] = await scene.stack.sql`
    select count(*)::int as count from auth_tokens.sessions
    where user_id = ${person.user} and client_id is not null`
  expect(opened).toEqual({ count: 1 })
})
