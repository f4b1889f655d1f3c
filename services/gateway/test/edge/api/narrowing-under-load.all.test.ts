// 500 callers over three gateways while their token is narrowed: afterwards none uses what was taken away.
// In `npm test`: tests/leases/narrowing.test.ts.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { forFile } from '@svc/testing/for-file'
import { startTestStack } from '@svc/testing/stack/stack'
import { expect, test } from 'vitest'
import { ask } from '../../answers.ts'
import { expectRevoked, hammer } from '../../hammer.ts'

const stack = forFile(() => startTestStack({ replicas: { gateway: 3, 'auth-tokens': 2 } }))

test('no request of 500 callers uses what was taken from their token after the reply', async () => {
  const { dev, backoffice, baseUrls } = stack
  const { id, token } = await invoke(backoffice, authTokens, 'create_api_token', {
    caller: { kind: 'internal', id: 'test', workspace: dev.workspace_id },
    body: { name: 'many' },
  })
  const headers = { authorization: `Bearer ${token}` }
  const narrow = async () => {
    const { status } = await ask(`${baseUrls[0]}/api_tokens/${id}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${dev.owner.session_token}`,
        'svc-context': dev.workspace_id,
        'content-type': 'application/json',
      },
      body: '{"permissions":["offers:read"]}',
    })
    expect(status).toBe(200)
  }
  expectRevoked(await hammer(baseUrls, headers, narrow, 500), 403)
  // What is left works at once, everywhere.
  for (const url of baseUrls) expect((await ask(`${url}/offers`, { headers })).status).toBe(200)
})
