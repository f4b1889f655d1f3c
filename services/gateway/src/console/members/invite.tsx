import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { pathId } from '@svc/contract/core/text'
import { field } from '../../pages/shared/form-fields.ts'
import { callOf } from '../forms/call-of.ts'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { roleField } from './role-field.ts'

const { add_member } = authTokens.operations

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

  post('/members/uninvite', async scene => {
    const invitation_id = field(scene.request, 'id')
    if (!pathId.safeParse(invitation_id).success) throw refusal('not_found')
    const params = { id: scene.workspace.id, invitation_id }
    await scene.invoke(authTokens, 'revoke_invitation', { params })
    return scene.go('/members', 'uninvited')
  })
}

const fieldsOf = (scene: Scene): readonly FieldSpec[] => [
  {
    name: 'email',
    label: 'Email address',
    kind: 'email',
    hint: 'They need no account yet. They become a member once they accept.',
    isArgument: true,
  },
  roleField(scene),
]

const page = (scene: Scene, values: FieldValues, problems?: Readonly<Record<string, string>>) => {
  const fields = fieldsOf(scene)
  return (
    <FormPage
      scene={scene}
      title="Invite somebody"
      part="/members"
      crumbs={[{ label: 'Members', path: '/members' }]}
      action="/members/invite"
      call={callOf(scene, add_member, { params: { id: scene.workspace.id }, fields, svc: 'members invite' })}
      {...{ fields, values, problems }}
      button="Send the invitation"
      back="/members"
    />
  )
}
