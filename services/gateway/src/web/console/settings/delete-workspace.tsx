import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import { attempt, valuesOf } from '../../kit/forms/submitted.ts'
import { goTo } from '../../kit/page/layout.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

const { delete_workspace } = authTokens.operations

const fields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name of the workspace', hint: 'Type it to confirm.', at: null },
]

export function deleteWorkspacePages({ get, post }: ConsolePages) {
  get('/settings/delete', async scene => {
    if (!scene.may(delete_workspace)) throw refusal('role_too_low')
    return scene.show(page(scene))
  })

  post('/settings/delete', async scene => {
    const { id, name } = scene.workspace
    if (valuesOf(scene).name?.trim().normalize('NFC') !== name.trim())
      return scene.show(page(scene, { name: 'Type the name as it is shown above.' }), 422)
    const params = { id }
    const sent = await attempt([], () => scene.invoke(authTokens, 'delete_workspace', { params }))
    if ('done' in sent) return goTo(scene.reply, '/console')
    return scene.show(page(scene, sent.refused.problems), sent.refused.status)
  })
}

function page(scene: Scene, problems?: Problems) {
  const { id, name } = scene.workspace
  return (
    <ConfirmPage
      scene={scene}
      part="/settings"
      crumbs={[{ label: 'Settings', path: '/settings' }]}
      question={`Delete “${name}”?`}
      consequence={
        <ul>
          <li>All members lose access immediately, and API tokens and offers stop working.</li>
          <li>Clusters, live installs and orders in progress have to end first.</li>
          <li>
            <a href="/docs/workspaces#deleting">What is kept, and for how long</a>
          </li>
        </ul>
      }
      button="Delete workspace"
      action="/settings/delete"
      back="/settings"
      fields={fields}
      problems={problems}
      call={callOf(scene, delete_workspace, { params: { id } })}
    />
  )
}
