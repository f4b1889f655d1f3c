// 500 callers over three gateways while their token is narrowed: afterwards none uses what was taken away.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { startTestStack } from '@svc/testing/stack/stack'
import { expect, test } from 'vitest'
import { ask } from '../../answers.ts'
import { expectRevoked, hammer } from '../../hammer.ts'

const stack = forFile(() => startTestStack({ replicas: { gateway: 3, 'auth-tokens': 2 } }))

test.each(Array.from({ length: sized(1, 5) }, (_, at) => at + 1))(
  'no request of 500 callers uses what was taken from their token after the reply (round %d)',
  async round => {
    const { dev, backoffice, baseUrls } = stack
    const { id, token } = await invoke(backoffice, authTokens, 'create_api_token', {
      caller: { kind: 'internal', id: 'test', workspace: dev.workspace_id },
      body: { name: `round ${round}` },
    })
    const headers = { authorization: `Bearer ${token}` }
    const narrow = async () => {
      const { status } = await ask(`${baseUrls[round % 3]}/api_tokens/${id}`, {
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
  },
)
