import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { SecretPage } from '../forms/secret-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { When } from '../../kit/ui/when.tsx'
import { findToken } from './find-token.ts'
import { graceField } from '../forms/grace-field.ts'

const { rotate_api_token } = authTokens.operations
const crumbs = [{ label: 'API tokens', path: '/tokens' }]
const fields: readonly FieldSpec[] = [graceField('grace_seconds')]

export function rotateTokenPages({ get, post }: ConsolePages) {
  get('/tokens/:id/rotate', async scene => {
    if (!scene.may(rotate_api_token)) throw refusal('role_too_low')
    const { name, hint } = await findToken(scene)
    return scene.show(page(scene, name, { grace_seconds: '3600', was: hint }))
  })

  post('/tokens/:id/rotate', async scene => {
    const { id = '' } = scene.params
    const values = valuesOf(scene)
    const now = await findToken(scene)
    if (values.was && values.was !== now.hint) {
      const again = { ...values, was: now.hint }
      return scene.show(page(scene, now.name, again, { '': rotatedMeanwhile }), 409)
    }
    const sent = await send(fields, values, body =>
      scene.invoke(authTokens, 'rotate_api_token', { params: { id }, body }),
    )
    if ('refused' in sent) {
      const { problems, status } = sent.refused
      return scene.show(page(scene, now.name, values, problems), status)
    }
    const { name, token, previous_expires_at } = sent.done
    return scene.show(
      <SecretPage
        scene={scene}
        part="/tokens"
        crumbs={crumbs}
        title={`New secret for “${name}”`}
        secret={token}
        text={
          previous_expires_at ? (
            <>
              Replace the old secret with this one. The old secret works until{' '}
              <When at={previous_expires_at} now={scene.now} />; earlier secrets no longer work.
            </>
          ) : (
            'The old secret no longer works.'
          )
        }
        next={`/tokens/${id}`}
      />,
    )
  })
}

const rotatedMeanwhile =
  'This token was rotated while you had this form open. Rotating again expires any older secret immediately.'

const page = (
  scene: Scene,
  name: string,
  values: FieldValues,
  problems?: Readonly<Record<string, string>>,
) => {
  const { id = '' } = scene.params
  return (
    <FormPage
      scene={scene}
      title={`Rotate “${name}”`}
      part="/tokens"
      crumbs={crumbs}
      action={`/tokens/${id}/rotate`}
      call={callOf(scene, rotate_api_token, { params: { id }, fields })}
      hidden={{ was: values.was ?? '' }}
      {...{ fields, values, problems }}
      button="Rotate token"
      back="/tokens"
    />
  )
}
