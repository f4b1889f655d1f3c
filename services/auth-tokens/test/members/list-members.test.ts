import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { type MemberBody, newAddress, createPeople } from '../people-scene.ts'
import { shareService } from '../running-service.ts'

const service = forFile(shareService)
const people = createPeople(service)

test('pages through members, without invited people, for every member and the workspace’s API token', async () => {
  const workspace = await service.newWorkspace()
  const owner = await people.person(workspace, 'owner')
  const actor = await people.person(workspace, 'member')
  for (let at = 0; at < 7; at++) await people.person(workspace, 'admin')
  await people.add(workspace, owner, newAddress())
  const token = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' } as const
  for (const caller of [actor, owner, token]) {
    const seen: MemberBody[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { status, body } = await people.list(workspace, caller, {
        limit: '4',
        ...(cursor && { cursor }),
      })
      expect(status).toBe(200)
      seen.push(...(body.data as MemberBody[]))
      cursor = body.next_cursor as string | null
    }
    const ids = seen.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(Object.fromEntries(seen.map(({ id, role }) => [id, role]))).toEqual(
      await people.memberships(workspace),
    )
    expect(seen).toHaveLength(9)
  }
  const end = Buffer.from('user_0').toString('base64url')
  expect((await people.list(workspace, actor, { cursor: end })).body).toEqual({
    data: [],
    next_cursor: null,
  })
})
