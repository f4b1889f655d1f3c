// Attack: a member of one workspace makes gateways forget what they keep of others, or keeps recalls so busy that others wait.
// Each recall is asked of every gateway, and was named by ids alone.
import { createSessionToken } from '@svc/runtime/credential'
import { waitUntil } from '@svc/local/wait-until'
import { beforeAll, expect, test } from 'vitest'
import {
  admissions,
  areKept,
  asOwner,
  expectRefused,
  newPerson,
  newSession,
  newToken,
  product,
  send,
  type Session,
  type Token,
  warm,
} from './scene.ts'

interface Victim {
  readonly user: string
  readonly token: Token
  readonly session: Session
}
let victim: Victim
beforeAll(async () => {
  const workspace = product.dev.other_workspace_id
  const { user } = await newPerson('admin', workspace)
  const session = await newSession({ user, email: '' }, 401, workspace)
  victim = { user, session, token: await newToken(workspace) }
})

const uses = () => [victim.token.use, victim.session.use, victim.session.useOfJwt]

async function revoke(token: string, gateway: number): Promise<number> {
  const url = new URL('/oauth/revoke', product.baseUrls[gateway])
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ token }) })
  await response.arrayBuffer()
  return response.status
}

const memberPath = (workspace: string) => `/workspaces/${workspace}/members/${victim.user}`

/** What a person tries, and how it is answered. */
const attempts = (): [method: string, path: string, status: number, body?: object][] => {
  const { workspace_id, other_workspace_id } = product.dev
  return [
    ['DELETE', `/api_tokens/${victim.token.id}`, 404],
    ['POST', `/api_tokens/${victim.token.id}/rotate`, 404],
    ['DELETE', `/sessions/${victim.session.id}`, 404],
    ['DELETE', memberPath(other_workspace_id), 403],
    ['DELETE', memberPath(workspace_id), 404],
    ['PATCH', memberPath(other_workspace_id), 403, { role: 'member' }],
    ['DELETE', '/api_tokens/__proto__', 404],
    ['DELETE', '/api_tokens/constructor', 404],
    ...['*', '>', 'tok_1 session'].map((id): ReturnType<typeof attempts>[number] => [
      'DELETE',
      `/api_tokens/${encodeURIComponent(id)}`,
      400,
    ]),
  ]
}

test('a person who ends or lowers what others have, what nobody has, or what has an odd id, changes nothing of what is cached for others', async () => {
  await waitUntil('attempts after which everything is kept', async giveUp => {
    await warm(...uses())
    if ((await revoke(createSessionToken(), 1)) !== 200) giveUp(new Error('not revoked'))
    for (const [at, [method, path, status, body]] of attempts().entries()) {
      const answered = (await asOwner(method, path, at % 2, body)).status
      if (answered !== status) giveUp(new Error(`${method} ${path} was answered ${answered}`))
    }
    return areKept(...uses())
  })
})

test('a flood of revocations of nothing neither stops those of others, nor makes gateways ask about them', async () => {
  const others = await newToken()
  await warm(victim.token.use, others.use)
  let flooding = true
  let sent = 0
  const statuses = new Set<number>()
  const flood = Array.from({ length: 40 }, async (_, at) => {
    while (flooding) {
      statuses.add(await revoke(createSessionToken(), at % 2))
      sent++
    }
  })
  try {
    await expect.poll(() => sent).toBeGreaterThan(200)
    // A renewal that comes late costs a look-up or some, and another try.
    await waitUntil('ten requests by what is kept, amid the flood', async giveUp => {
      const [before, sentBefore] = [await admissions(0), sent]
      for (let n = 0; n < 10; n++) {
        const status = await send(victim.token.use, 0)
        if (status !== 200) giveUp(new Error(`answered ${status}`))
      }
      return (await admissions(0)).kept - before.kept === 10 && sent > sentBefore
    })
    expect((await asOwner('DELETE', `/api_tokens/${others.id}`, 1)).status).toBe(204)
    await expectRefused(others.use)
  } finally {
    flooding = false
    await Promise.all(flood)
  }
  // Past a bound on attempts by address they are refused.
  expect([...statuses].filter(status => status !== 200 && status !== 429 && status !== 503)).toEqual([])
})
