import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { attempt, send, valuesOf } from '../../kit/forms/submitted.ts'
import { goTo } from '../../kit/page/layout.tsx'
import { findInList } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { roleField } from './role-field.ts'

type Member = Item<'list_members'>

const { update_member, delete_member } = authTokens.operations
const crumbs = [{ label: 'Members', path: '/members' }]

export function memberChanges({ get, post }: ConsolePages) {
  get('/members/:user_id/role', async scene => {
    const member = await findChangeable(scene)
    return scene.show(rolePage(scene, member, { role: member.role }))
  })

  post('/members/:user_id/role', async scene => {
    const values = valuesOf(scene)
    const member = await findChangeable(scene)
    const sent = await send([roleField(scene)], values, body =>
      scene.invoke(authTokens, 'update_member', { params: paramsOf(scene), body }),
    )
    if ('done' in sent) return scene.go('/members', 'saved')
    return scene.show(rolePage(scene, member, values, sent.refused.problems), sent.refused.status)
  })

  get('/members/:user_id/remove', async scene => {
    const member = await find(scene)
    if (member.id !== scene.member.user && !mayChange(scene, member)) throw refusal('role_too_low')
    return scene.show(removePage(scene, member))
  })

  post('/members/:user_id/remove', async scene => {
    const params = paramsOf(scene)
    const sent = await attempt([], () => scene.invoke(authTokens, 'delete_member', { params }))
    if ('refused' in sent) {
      return scene.show(removePage(scene, await find(scene), sent.refused.problems['']), sent.refused.status)
    }
    return params.user_id === scene.member.user ? goTo(scene.reply, '/') : scene.go('/members', 'removed')
  })
}

/** Only owners change owners. */
export const mayChange = (scene: Scene, { role }: Pick<Member, 'role'>): boolean =>
  scene.may(update_member) && (scene.member.role === 'owner' || role !== 'owner')

const paramsOf = ({ workspace, params: { user_id = '' } }: Scene) => ({ id: workspace.id, user_id })

const find = ({ invoke, params, workspace }: Scene): Promise<Member> =>
  findInList(params.user_id, query =>
    invoke(authTokens, 'list_members', { params: { id: workspace.id }, query }),
  )

async function findChangeable(scene: Scene): Promise<Member> {
  const member = await find(scene)
  if (!mayChange(scene, member)) throw refusal('role_too_low')
  return member
}

const rolePage = (
  scene: Scene,
  { id, email }: Member,
  values: FieldValues,
  problems?: Readonly<Record<string, string>>,
) => (
  <FormPage
    scene={scene}
    title={`Change role for ${email}`}
    part="/members"
    crumbs={crumbs}
    text="Takes effect immediately."
    action={`/members/${id}/role`}
    call={callOf(scene, update_member, {
      params: paramsOf(scene),
      fields: [roleField(scene)],
    })}
    fields={[roleField(scene)]}
    {...{ values, problems }}
    button="Save"
    back="/members"
  />
)

function removePage(scene: Scene, { id, email }: Member, problem?: string) {
  const isOwn = id === scene.member.user
  return (
    <ConfirmPage
      scene={scene}
      part="/members"
      crumbs={crumbs}
      question={isOwn ? `Leave ${scene.workspace.name}?` : `Remove ${email}?`}
      consequence={
        <ul>
          <li>{isOwn ? 'You' : 'They'} lose access to this workspace immediately.</li>
          <li>
            API tokens {isOwn ? 'you' : 'they'} created keep working, except those set to expire with their
            creator.
          </li>
          <li>{isOwn ? 'You’ll need a new invitation to rejoin.' : 'You can invite them again later.'}</li>
        </ul>
      }
      button={isOwn ? 'Leave workspace' : 'Remove member'}
      action={`/members/${id}/remove`}
      back="/members"
      problem={problem}
      call={callOf(scene, delete_member, {
        params: paramsOf(scene),
        ...(isOwn && { svc: 'members leave' }),
      })}
    />
  )
}
