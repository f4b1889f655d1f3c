import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { beganWith, changedFields, send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { findToken } from './find-token.ts'
import { narrowingFields, type Token, valuesOfToken } from './narrowing-fields.ts'

const { update_api_token } = authTokens.operations
const nameField: FieldSpec = { name: 'name', label: 'Name' }
const { permissions, answers, networks } = narrowingFields(update_api_token)
const shown = [nameField, ...permissions, networks]

export function editTokenPages({ get, post }: ConsolePages) {
  get('/tokens/:id/edit', async scene => {
    if (!scene.may(update_api_token)) throw refusal('role_too_low')
    return scene.show(page(scene, valuesOfToken(await findToken(scene))))
  })

  post('/tokens/:id/edit', async scene => {
    const params = { id: scene.params.id ?? '' }
    const values = valuesOf(scene)
    const changed = changedFields(shown, values)
    const isNarrowed = permissions.some(field => changed.includes(field))
    const fields = [
      ...changed.filter(field => !permissions.includes(field)),
      ...(isNarrowed ? [...permissions, ...answers] : []),
    ]
    if (fields.length === 0) {
      await findToken(scene)
      return scene.go(`/tokens/${params.id}`, 'saved')
    }
    const sent = await send(fields, values, body =>
      scene.invoke(authTokens, 'update_api_token', { params, body }),
    )
    if ('done' in sent) return scene.go(`/tokens/${params.id}`, 'saved')
    if (sent.refused.status < 500) await findToken(scene)
    return scene.show(page(scene, values, sent.refused.problems), sent.refused.status)
  })
}

/** Sent as this form, it changes the permissions alone. */
export const keepingOnly = (token: Token, permissions: string[]): FieldValues => ({
  ...valuesOfToken({ ...token, permissions }),
  ...beganWith(shown, valuesOfToken(token)),
})

function page(scene: Scene, values: FieldValues, problems?: Readonly<Record<string, string>>) {
  const { id = '' } = scene.params
  return (
    <FormPage
      scene={scene}
      title="Edit API token"
      part="/tokens"
      crumbs={[
        { label: 'API tokens', path: '/tokens' },
        { label: id, path: `/tokens/${id}` },
      ]}
      text={
        <>
          What you take away is refused as soon as you save. See <a href="/docs/permissions">Permissions</a>.
        </>
      }
      action={`/tokens/${id}/edit`}
      call={callOf(scene, update_api_token, {
        params: { id },
        fields: [...shown, ...answers],
      })}
      hidden={beganWith(shown, values)}
      fields={shown}
      {...{ values, problems }}
      button="Save"
      back={`/tokens/${id}`}
    />
  )
}
