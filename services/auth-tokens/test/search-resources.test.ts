// docs/specification.md, R78: tokens and members are found here, and services that do not answer are named.
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { shareService } from './running-service.ts'

const service = forFile(shareService)

test('without the other services tokens and members are found, and what was not searched is named', async () => {
  const workspace = await service.newWorkspace()
  const owner = await service.newMember(workspace, 'owner')
  const member = await service.newMember(workspace, 'member')
  const search = async (caller: typeof owner, q: string, at = workspace) => {
    const { status, body } = await service.ask(
      'search_resources',
      { ...caller, workspace: at } as typeof owner,
      { query: { q } },
    )
    expect(status).toBe(200)
    return body as { data?: object[]; unsearched?: string[] }
  }
  const [token] = await service.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at)
    values (${newId('tok')}, ${workspace}, 'Deploy from CI', sha256(${newId('tok')}::bytea), 'abcd', now()) returning id`
  const notOffers = ['product', 'package', 'offer', 'order', 'install', 'cluster']
  expect(await search(owner, 'ci dep')).toEqual({
    data: [{ kind: 'api_token', id: token?.id, name: 'Deploy from CI', detail: null }],
    ...{ more: [], unsearched: [...notOffers, 'webhook_endpoint'] },
  })
  // What the role may not see is not searched.
  expect((await search(member, 'ci')).unsearched).toEqual(notOffers)
  expect((await search(member, owner.user)).data).toEqual([
    { kind: 'member', id: owner.user, name: `${owner.user}@test.example`, detail: 'owner' },
  ])
  const elsewhere = await service.newWorkspace()
  const stranger = await service.newMember(elsewhere, 'owner')
  for (const q of ['ci', owner.user]) expect((await search(stranger, q, elsewhere)).data).toEqual([])
  expect(await search(owner, '…')).toEqual({ data: [], more: [], unsearched: [] })
})
