// What people see while something is broken.
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { startGatewayHere } from '../gateway-here.ts'
import { running } from './scene.ts'

const gateway = forFile(() => startGatewayHere(running))

async function sessions(token: string) {
  const response = await fetch(`${gateway.url}/sessions`, {
    headers: { cookie: `__Host-svc_session=${token}` },
    redirect: 'manual',
  })
  return { response, text: await response.text() }
}

test('an internal error and an outage show a page with the request id, and the person stays signed in', async () => {
  const { dev, sql } = running
  const token = dev.owner.session_token
  expect((await sessions(token)).response.status).toBe(200)

  await sql`alter table auth_tokens.oauth_clients rename to mislaid`
  const fault = await sessions(token)
  await sql`alter table auth_tokens.mislaid rename to oauth_clients`
  expect(fault.response.status).toBe(500)
  expect(fault.text).toContain('Something went wrong on our side')
  expect(fault.text).toContain(fault.response.headers.get('svc-request-id') ?? 'no id')
  expect(fault.text).not.toMatch(/relation|oauth_clients|select/)
  expect((await sessions(token)).response.status).toBe(200)

  await Promise.all(running.stack.processes['auth-tokens'].map(process => process.stop()))
  const outage = await sessions(token)
  expect(outage.response.status).toBe(503)
  expect(Number(outage.response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(outage.response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(outage.text).toContain('Temporarily unavailable')
  for (const { response } of [fault, outage]) {
    expect(response.headers.getSetCookie().join()).not.toContain('svc_session=;')
  }
})
