import { activity } from '@svc/contract/activity/activity'
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
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { SecretPage } from '../forms/secret-page.tsx'
import { beganWith, changedFields, send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { endpointFields as fields, firstValues, typesChosen } from './endpoint-fields.ts'

const { create_webhook_endpoint, update_webhook_endpoint } = activity.operations
const crumbs = [{ label: 'Webhooks', path: '/webhooks' }]

type Problems = Readonly<Record<string, string>>

export function editEndpointPages({ get, post }: ConsolePages) {
  get('/webhooks/new', async scene => {
    if (!scene.may(create_webhook_endpoint)) throw refusal('role_too_low')
    return scene.show(newPage(scene, withNewKey(firstValues)))
  })

  post('/webhooks/new', async scene => {
    const values = valuesOf(scene)
    const headers = sentKey(values)
    const sent = await send(fields, values, body =>
      orCreatedBefore(scene.invoke(activity, 'create_webhook_endpoint', { headers, body })),
    )
    if ('refused' in sent) {
      const again = shownAgain(values, sent.refused)
      return scene.show(newPage(scene, again.values, again.problems), again.status)
    }
    if ('createdBefore' in sent.done) return createdBefore(scene, values, sent.done.createdBefore)
    const { id, secret } = sent.done
    return scene.show(
      <SecretPage
        scene={scene}
        part="/webhooks"
        crumbs={crumbs}
        title="Signing secret"
        secret={secret}
        text={
          <>
            Use it to verify that events come from us. See the <a href="/docs/webhooks">webhooks guide</a>.
          </>
        }
        next={`/webhooks/${id}`}
      />,
      201,
    )
  })

  get('/webhooks/:id/edit', async scene => {
    const { url, event_types, description } = await read(scene)
    return scene.show(editPage(scene, { url, ...typesChosen(event_types), description }))
  })

  post('/webhooks/:id/edit', async scene => {
    const params = { id: scene.params.id ?? '' }
    const values = valuesOf(scene)
    const changed = changedFields(fields, values)
    if (changed.length === 0) {
      await read(scene)
      return scene.go(`/webhooks/${params.id}`, 'saved')
    }
    const sent = await send(changed, values, body =>
      scene.invoke(activity, 'update_webhook_endpoint', { params, body }),
    )
    if ('done' in sent) return scene.go(`/webhooks/${params.id}`, 'saved')
    if (sent.refused.status < 500) await read(scene)
    return scene.show(editPage(scene, values, sent.refused.problems), sent.refused.status)
  })
}

/** @throws ApiError `NotFound` for an endpoint of another workspace */
const read = ({ invoke, params: { id = '' } }: Scene) =>
  invoke(activity, 'get_webhook_endpoint', { params: { id } })

const createdBefore = (scene: Scene, values: FieldValues, id: string) =>
  scene.show(
    <CreatedBeforePage
      {...{ scene, crumbs, fields, values }}
      part="/webhooks"
      what="endpoint"
      name={values.url ?? ''}
      paths={{ itself: `/webhooks/${id}`, rotate: `/webhooks/${id}/rotate`, form: '/webhooks/new' }}
    />,
    409,
  )

const newPage = (scene: Scene, values: FieldValues, problems?: Problems) => (
  <FormPage
    scene={scene}
    title="Add webhook endpoint"
    part="/webhooks"
    crumbs={crumbs}
    action="/webhooks/new"
    call={callOf(scene, create_webhook_endpoint, {
      fields,
      headers: keyHeader(values),
    })}
    hidden={keyField(values)}
    {...{ fields, values, problems }}
    button="Add endpoint"
    back="/webhooks"
  />
)

function editPage(scene: Scene, values: FieldValues, problems?: Problems) {
  const { id = '' } = scene.params
  return (
    <FormPage
      scene={scene}
      title="Edit endpoint"
      part="/webhooks"
      crumbs={[...crumbs, { label: id, path: `/webhooks/${id}` }]}
      action={`/webhooks/${id}/edit`}
      call={callOf(scene, update_webhook_endpoint, {
        params: { id },
        fields,
      })}
      hidden={beganWith(fields, values)}
      {...{ fields, values, problems }}
      button="Save"
      back={`/webhooks/${id}`}
    />
  )
}
