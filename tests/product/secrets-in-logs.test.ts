// No secret is in what the processes of the run's product write.
// In `npm run test:all` also at the most verbose level, after faults, and in spans: own-product.all.test.ts.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { forFile } from '@svc/testing/for-file'
import { waitUntil } from '@svc/local/wait-until'
import { createApiToken, createSessionToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { requester } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, test } from 'vitest'
import { approveDevice, guessed } from '../../services/gateway/test/approve-device.ts'
import { useSecondFactor } from '../../services/gateway/test/second-factor.ts'
import { hashesOf } from '../../services/gateway/test/hashes-of.ts'

const product = forFile(joinProduct)

const lineWith = (...texts: unknown[]) =>
  product.lines.find(line => texts.every(text => line.includes(String(text))))

test('passwords, credentials, their hashes, codes and notes are in no line of the logs, whether accepted or refused', async () => {
  const { dev, stack, baseUrls } = product
  const send = requester(baseUrls[0] ?? '')
  const workspace = dev.workspace_id
  const people = [dev.owner, dev.admin, dev.member, dev.stranger]
  const { jar, user_code, ...device } = await approveDevice(stack.gateways[0]?.url ?? '', dev.member)
  const body = { email: `${newId('user')}@logs.example`, password: 'a password in no log' }
  await invoke(product.backoffice, authTokens, 'put_user', { caller: { kind: 'internal', id: 'test' }, body })
  const factors = await useSecondFactor(stack.gateways[1]?.url ?? '', body)
  const named = { body: { name: 'logged?' }, workspace }
  const created = await send('POST', '/api_tokens', dev.owner.session_token, named)
  expect(created.status).toBe(201)
  const token = String(created.answer.token)
  const unknown = [createApiToken(), createSessionToken()]
  for (const credential of [token, ...unknown]) {
    const { status } = await send('GET', `/installs?token=${credential}`, credential)
    expect(status).toBe(credential === token ? 400 : 401)
    expect((await send('GET', `/${credential}`, credential)).status).toBe(404)
  }
  const note = newId('offer')
  const offer = { product_id: dev.product_id, internal_note: note, notes: note }
  expect((await send('POST', '/offers', token, { body: offer })).status).toBe(201)
  const refused = await send('POST', '/offers', token, { body: { ...offer, [token]: token } })
  expect(refused.status).toBe(400)

  // What is found otherwise: lines of the gateway and of a service, about these requests.
  await waitUntil(
    'the mail about the sign-in',
    () => lineWith('auth-tokens-', dev.member.email, 'A sign-in from a new browser') !== undefined,
  )
  // A process writes five times a second. Between two times of one, each of the others has had its own.
  for (let n = 0; n < 2; n++) {
    const { requestId } = await send('GET', '/installs', token)
    await waitUntil('its line', () => lineWith(requestId) !== undefined)
  }
  expect(
    lineWith('gateway-', refused.requestId, '"route":"/v1/offers","status":400', workspace),
  ).toBeDefined()

  const { lines } = product
  const credentials = [
    ...[dev.api_token, token, ...unknown, ...factors],
    ...people.map(({ session_token }) => session_token),
    ...[...jar.cookies.values(), ...Object.values(device), user_code.replace('-', '')],
  ]
  for (const secret of [
    ...credentials,
    ...credentials.flatMap(hashesOf),
    ...[...people, body].map(({ password }) => password),
    ...Object.values({ ...stack.secrets.nats, ...stack.secrets.postgres }),
    ...[guessed, user_code, note, '$argon2id$'],
  ]) {
    expect(secret.length).toBeGreaterThan(7)
    expect(lines.filter(line => line.includes(secret))).toEqual([])
  }
})
