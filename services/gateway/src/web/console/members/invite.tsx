import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import { findInList } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { roleField } from './role-field.ts'

const { add_member, revoke_invitation } = authTokens.operations
const crumbs = [{ label: 'Members', path: '/members' }]

export function invitePages({ get, post }: ConsolePages) {
  get('/members/invite', async scene => {
    if (!scene.may(add_member)) throw refusal('role_too_low')
    return scene.show(page(scene, { role: 'member' }))
  })

  post('/members/invite', async scene => {
    const values = valuesOf(scene)
    const params = { id: scene.workspace.id }
    const sent = await send(fieldsOf(scene), values, body =>
      scene.invoke(authTokens, 'add_member', { params, body }),
    )
    if ('done' in sent) return scene.go('/members', 'invited')
    return scene.show(page(scene, values, sent.refused.problems), sent.refused.status)
  })

  get('/members/invitations/:id/revoke', async scene => {
    if (!scene.may(revoke_invitation)) throw refusal('role_too_low')
    const { params } = ofInvitation(scene)
    const { id, email } = await findInList(scene.params.id, query =>
      scene.invoke(authTokens, 'list_workspace_invitations', { params: { id: scene.workspace.id }, query }),
    )
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/members"
        crumbs={crumbs}
        question={`Revoke the invitation for ${email}?`}
        consequence={<p>The link in their email stops working. You can invite them again later.</p>}
        button="Revoke invitation"
        action={`/members/invitations/${id}/revoke`}
        back="/members"
        call={callOf(scene, revoke_invitation, { params })}
      />,
    )
  })

  post('/members/invitations/:id/revoke', async scene => {
    await scene.invoke(authTokens, 'revoke_invitation', ofInvitation(scene))
    return scene.go('/members', 'uninvited')
  })
}

const ofInvitation = ({ workspace, params: { id: invitation_id = '' } }: Scene) => ({
  params: { id: workspace.id, invitation_id },
})

const fieldsOf = (scene: Scene): readonly FieldSpec[] => [
  {
    name: 'email',
    label: 'Email address',
    kind: 'email',
    hint: 'They don’t need an account yet. They join when they accept.',
  },
  roleField(scene),
]

const page = (scene: Scene, values: FieldValues, problems?: Readonly<Record<string, string>>) => {
  const fields = fieldsOf(scene)
  return (
    <FormPage
      scene={scene}
      title="Invite a member"
      part="/members"
      crumbs={crumbs}
      action="/members/invite"
      call={callOf(scene, add_member, { params: { id: scene.workspace.id }, fields })}
      {...{ fields, values, problems }}
      button="Send invitation"
      back="/members"
    />
  )
}
