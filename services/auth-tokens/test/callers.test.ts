// Who may not call, by the contract: every operation of people refuses programs and API tokens, every one of programs people.
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import type { Operation } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { summaryOf } from './people-scene.ts'
import { internal, shareService } from './running-service.ts'

const service = forFile(shareService)
let workspace: string
beforeAll(async () => {
  workspace = await service.newWorkspace()
})

type Name = keyof typeof authTokens.operations
const operations = Object.entries<Operation>(authTokens.operations) as [Name, Operation][]
const ofPeople = operations.filter(([, { access }]) => access.credentials.includes('session'))
const ofPersons = ofPeople.filter(([, { access }]) => !access.workspace)
const email = 'somebody@test.example'
const hash = '0'.repeat(64)
/** A program is told so by the handler, after its input was read. */
const bodies: Partial<Record<Name, object>> = {
  create_workspace: { name: 'x' },
  update_workspace: { name: 'x' },
  update_user: { name: 'x' },
  set_password: { current_password: 'x', password: 'a good long password' },
  delete_user: { password: 'x' },
  add_member: { email, role: 'member' },
  update_member: { role: 'member' },
  update_mail_preferences: { order_expired: true },
  find_confirmation: { code_hash: hash },
  confirm_session: { proof: { password: 'x' } },
  start_factor: { kind: 'totp', proof: { password: 'x' } },
  add_passkey: {
    name: 'x',
    passkey: {
      ...{ id: 'x', rawId: 'x', type: 'public-key' },
      response: { clientDataJSON: 'x', attestationObject: 'x' },
    },
  },
  add_totp: { permit: 'x', sealed: 'x', code: '000000' },
  remove_factor: { id: 'totp', proof: { code: '000000' } },
  create_recovery_codes: { proof: { code: '000000' } },
  enter_user_code: { user_code_hash: hash },
  decide_device_grant: { grant_id: newId('grant'), decision: 'approved' },
}
const notThatKind = /^403 40305/

describe.each(ofPersons)('%s', (name, { params, access }) => {
  const given = Object.fromEntries(Object.keys(params?.shape ?? {}).map(key => [key, `${key}_1`]))
  const ask = (caller: Caller) =>
    service.ask(name, caller, {
      params: { ...given, ...('id' in given && { id: workspace }) },
      body: bodies[name],
    })

  test(`${name} is not for programs`, async () => {
    expect(summaryOf(await ask(internal()))).toMatch(notThatKind)
    expect(summaryOf(await ask(internal(workspace)))).toMatch(notThatKind)
  })

  test.runIf(!access.credentials.includes('api_token'))(`${name} is not for API tokens`, async () => {
    const token: Caller = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' }
    expect(summaryOf(await ask(token))).toMatch(notThatKind)
  })
})

test.each(operations.filter(([, { access }]) => access.credentials.length === 0 && !access.anonymous))(
  '%s is for programs alone',
  async name => {
    const person = await service.newMember(workspace, 'owner')
    for (const caller of [
      person,
      { kind: 'api_token', id: newId('tok'), workspace, role: 'member' } as const,
    ])
      expect(summaryOf(await service.ask(name, caller))).toMatch(notThatKind)
    const nobody = { kind: 'anonymous', id: 'anonymous' } as const
    expect((await service.ask(name, nobody)).status).toBe(401)
  },
)
