import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import {
  keyField,
  keyHeader,
  orCreatedBefore,
  sentKey,
  shownAgain,
  withNewKey,
} from '../../kit/forms/creation-key.ts'
import { CreatedBeforePage } from '../forms/created-before-page.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { SecretPage } from '../forms/secret-page.tsx'
import { narrowingFields } from './narrowing-fields.ts'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

const { create_api_token } = authTokens.operations
const crumbs = [{ label: 'API tokens', path: '/tokens' }]

const { permissions, answers, networks } = narrowingFields(create_api_token)
const shown: readonly FieldSpec[] = [
  {
    name: 'name',
    label: 'Name',
    hint: 'What the token is for, such as the repository or service that uses it.',
  },
  ...permissions,
  networks,
  {
    name: 'expires_at',
    label: 'Expires (UTC)',
    kind: 'moment',
    isOptional: true,
    hint: 'Leave blank for no expiry. We’ll email the workspace’s owners a week before it expires.',
  },
  {
    name: 'ends_with_creator',
    label: 'Revoke it when I leave the workspace',
    kind: 'check',
  },
]
const fields = [...shown, ...answers]

export function newTokenPages({ get, post }: ConsolePages) {
  get('/tokens/new', async scene => {
    if (!scene.may(create_api_token)) throw refusal('role_too_low')
    return scene.show(page(scene, withNewKey({ expires_at: inNinetyDays(scene.now) })))
  })

  post('/tokens/new', async scene => {
    const values = valuesOf(scene)
    const headers = sentKey(values)
    const sent = await send(fields, values, body =>
      orCreatedBefore(scene.invoke(authTokens, 'create_api_token', { headers, body })),
    )
    if ('refused' in sent) {
      const again = shownAgain(values, sent.refused)
      return scene.show(page(scene, again.values, again.problems), again.status)
    }
    if ('createdBefore' in sent.done) return createdBefore(scene, values, sent.done.createdBefore)
    const { id, name, token } = sent.done
    return scene.show(
      <SecretPage
        scene={scene}
        part="/tokens"
        crumbs={crumbs}
        title={`Token created: ${name}`}
        secret={token}
        text="Use it in the header “Authorization: Bearer …”, or set SVC_TOKEN for svc."
        next={`/tokens/${id}`}
      />,
      201,
    )
  })
}

const createdBefore = (scene: Scene, values: FieldValues, id: string) =>
  scene.show(
    <CreatedBeforePage
      {...{ scene, crumbs, fields, values }}
      part="/tokens"
      what="token"
      name={values.name ?? ''}
      paths={{ itself: `/tokens/${id}`, rotate: `/tokens/${id}/rotate`, form: '/tokens/new' }}
    />,
    409,
  )

const page = (scene: Scene, values: FieldValues, problems?: Readonly<Record<string, string>>) => (
  <FormPage
    scene={scene}
    title="New API token"
    part="/tokens"
    crumbs={crumbs}
    action="/tokens/new"
    call={callOf(scene, create_api_token, { fields, headers: keyHeader(values) })}
    hidden={keyField(values)}
    fields={shown}
    {...{ values, problems }}
    button="Create token"
    back="/tokens"
  />
)

const inNinetyDays = (now: number): string =>
  new Date((now + 90 * 24 * 3600) * 1000).toISOString().slice(0, 16)
