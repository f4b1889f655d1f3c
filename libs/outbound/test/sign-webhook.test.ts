import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret, signWebhook } from '../src/sign-webhook.ts'

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"type":"offers.created","note":"Ünicode ✓"}'
const now = () => Math.floor(Date.now() / 1000)

test('the published package verifies it', () => {
  const secret = newWebhookSecret()
  const headers = signWebhook({ id, timestamp: now(), body, secrets: [secret] })
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
})

test('while a secret is being changed, both the old and the new one verify it', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const headers = signWebhook({ id, timestamp: now(), body, secrets })
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature')
})

test.each<[string, { body?: string; id?: string; timestamp?: number }]>([
  ['the body', { body: `${body} ` }],
  ['the id', { id: 'msg_other' }],
  ['the time', { timestamp: now() + 1 }],
])('%s is signed', (_, change) => {
  const secret = newWebhookSecret()
  const signed = { id, timestamp: now(), body, secrets: [secret] }
  const others = signWebhook({ ...signed, ...change })
  const headers = { ...others, 'webhook-signature': signWebhook(signed)['webhook-signature'] }
  expect(() => new Webhook(secret).verify(change.body ?? body, headers)).toThrow('No matching signature')
})

// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
test('the example of the specification', () => {
  const headers = signWebhook({
    id,
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  expect(headers).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a secret has 32 random bytes', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secrets[0]).not.toBe(secrets[1])
})

test('what is not a secret signs nothing', () => {
  expect(() => signWebhook({ id, timestamp: 0, body, secrets: ['c2VjcmV0'] })).toThrow('whsec_')
})
