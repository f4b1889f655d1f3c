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

const attempts: [name: string, attempt: () => Promise<number>, status: number][] = [
  [
    'deletes their token',
    async () => (await asOwner('DELETE', `/api_tokens/${victim.token.id}`, 0)).status,
    404,
  ],
  [
    'rotates their token',
    async () => (await asOwner('POST', `/api_tokens/${victim.token.id}/rotate`, 1)).status,
    404,
  ],
  [
    'ends their session',
    async () => (await asOwner('DELETE', `/sessions/${victim.session.id}`, 0)).status,
    404,
  ],
  [
    'removes their member',
    async () => {
      const path = `/workspaces/${product.dev.other_workspace_id}/members/${victim.user}`
      return (await asOwner('DELETE', path, 1)).status
    },
    403,
  ],
  [
    'removes their member from the own workspace',
    async () => {
      const path = `/workspaces/${product.dev.workspace_id}/members/${victim.user}`
      return (await asOwner('DELETE', path, 0)).status
    },
    404,
  ],
  [
    'lowers the role of their member',
    async () => {
      const path = `/workspaces/${product.dev.other_workspace_id}/members/${victim.user}`
      return (await asOwner('PATCH', path, 0, { role: 'member' })).status
    },
    403,
  ],
  ['revokes a token that nobody has', () => revoke(createSessionToken(), 1), 200],
  ...(
    [
      ['__proto__', 404],
      ['constructor', 404],
      ['*', 400],
      ['>', 400],
      ['tok_1 session', 400],
    ] as const
  ).map(([id, status]): (typeof attempts)[number] => [
    `deletes what has an odd id: ${id}`,
    async () => (await asOwner('DELETE', `/api_tokens/${encodeURIComponent(id)}`, 1)).status,
    status,
  ]),
]

test.each(attempts)(
  'a person who %s changes nothing of what is cached for others',
  async (_name, attempt, status) => {
    await waitUntil('an attempt after which everything is kept', async giveUp => {
      await warm(...uses())
      const answered = await attempt()
      if (answered !== status) giveUp(new Error(`answered ${answered}`))
      return areKept(...uses())
    })
  },
)

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
    await expect.poll(() => sent).toBeGreaterThan(1000)
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
