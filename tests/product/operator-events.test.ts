// Commands of the operator are events: who gave them, and what they changed.
import { forFile } from '@svc/testing/for-file'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { newId } from '@svc/runtime/id'
import { createAdminHere } from '@svc/testing/stack/admin-here'
import { sender } from '@svc/testing/stack/driven-stack'
import { followProduct } from '@svc/testing/stack/follow-product'
import { expect, test } from 'vitest'

const followed = forFile(followProduct)

/** Gives a command as `SVC_OPERATOR`. */
async function command(operator: string, ...args: string[]) {
  const env = { ...followed.product.stack.bus('backoffice'), SVC_OPERATOR: operator }
  const { code, err } = await createAdminHere(env)(args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
}

const actorOf = (name: string, workspace_id: string | null = null) => ({
  kind: 'internal',
  id: 'admin',
  name,
  credential_id: null,
  workspace_id,
})

test.each(['products', 'members', 'clusters', 'webhook_endpoints'])(
  'the quota of %s: set, changed and given back, and no event where it stays',
  async quota => {
    const { workspace_id } = followed.product.dev
    for (const most of ['7', '7', '9', 'common', 'common']) {
      await command('Zoë', 'quotas', 'set', '--workspace', workspace_id, '--quota', quota, '--most', most)
    }
    const told = await followed.eventsWhere(
      3,
      ({ type, aggregate_id }) => type === 'quotas.set' && aggregate_id === `${workspace_id}/${quota}`,
    )
    const steps = [
      [null, 7],
      [7, 9],
      [9, null],
    ]
    expect(told).toMatchObject(
      steps.map(([before, after]) => ({
        actor: actorOf('Zoë', workspace_id),
        changes: { most: { before, after } },
        data: { workspace_id, quota, most: after },
      })),
    )
    // Members see it, too.
    const send = sender(followed.product.baseUrls[0] ?? '')
    await expect
      .poll(async () => {
        const query = `type=quotas.set&aggregate=${workspace_id}/${quota}`
        return (await send('GET', `/events?${query}`, followed.product.dev.api_token)).data
      })
      .toHaveLength(3)
  },
)

test('a client that is registered, and a person who is verified', async () => {
  const operator = newId('user')
  const client = newId('user')
  const email = `${operator}@operator.example`
  await command(operator, 'put-client', '--id', client, '--name', 'Ours')
  const body = { email, password: 'a good long password' }
  const caller = { kind: 'internal', id: 'test' } as const
  const { id } = await invoke(followed.product.backoffice, authTokens, 'put_user', { caller, body })
  await command(operator, 'verify-user', '--email', email)
  const told = await followed.eventsWhere(2, ({ actor }) => actor.name === operator)
  expect(told).toMatchObject([
    { type: 'oauth_clients.put', aggregate_id: client, actor: actorOf(operator), data: {} },
    { type: 'users.verified', aggregate_id: id, actor: actorOf(operator), data: { user_id: id } },
  ])
})
