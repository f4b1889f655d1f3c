import { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import { pathId } from '@svc/contract/core/text'
import { field } from '../../kit/forms/form-fields.ts'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { graceField } from '../forms/grace-field.ts'
import { SecretPage } from '../forms/secret-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

const { rotate_webhook_secret, delete_webhook_endpoint } = activity.operations
const fields: readonly FieldSpec[] = [graceField('expires_in')]

const idOf = ({ params }: Scene) => params.id ?? ''
const crumbsOf = (scene: Scene) => [
  { label: 'Webhooks', path: '/webhooks' },
  { label: idOf(scene), path: `/webhooks/${idOf(scene)}` },
]

const steps = [
  ['pause', 'pause_webhook_endpoint', 'paused'],
  ['resume', 'resume_webhook_endpoint', 'resumed'],
  ['test', 'create_test_delivery', 'tested'],
] as const

export function endpointSteps({ get, post }: ConsolePages) {
  for (const [step, operation, notice] of steps) {
    post(`/webhooks/:id/${step}`, async scene => {
      await scene.invoke(activity, operation, { params: { id: idOf(scene) } })
      return scene.go(`/webhooks/${idOf(scene)}`, notice)
    })
  }

  post('/webhooks/:id/redeliver', async scene => {
    const delivery_id = field(scene.request, 'id')
    if (!pathId.safeParse(delivery_id).success) throw refusal('not_found')
    await scene.invoke(activity, 'redeliver_webhook', { params: { id: idOf(scene), delivery_id } })
    return scene.go(`/webhooks/${idOf(scene)}/deliveries/${delivery_id}`, 'redelivered')
  })

  get('/webhooks/:id/rotate', async scene => {
    await read(scene)
    return scene.show(rotatePage(scene, { expires_in: '86400' }))
  })

  post('/webhooks/:id/rotate', async scene => {
    const values = valuesOf(scene)
    const params = { id: idOf(scene) }
    const sent = await send(fields, values, body =>
      scene.invoke(activity, 'rotate_webhook_secret', { params, body }),
    )
    if ('refused' in sent) {
      if (sent.refused.status < 500) await read(scene)
      return scene.show(rotatePage(scene, values, sent.refused.problems), sent.refused.status)
    }
    return scene.show(
      <SecretPage
        scene={scene}
        part="/webhooks"
        crumbs={crumbsOf(scene)}
        title="New signing secret"
        secret={sent.done.secret}
        text="Events are signed with both secrets until the old one expires."
        next={`/webhooks/${params.id}`}
      />,
    )
  })

  get('/webhooks/:id/delete', async scene => {
    const { url } = await read(scene)
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/webhooks"
        crumbs={crumbsOf(scene)}
        question="Delete this endpoint?"
        consequence={
          <p class="long">
            We’ll stop sending events to {url} and delete its delivery history. This can’t be undone.
          </p>
        }
        button="Delete endpoint"
        action={`/webhooks/${idOf(scene)}/delete`}
        back={`/webhooks/${idOf(scene)}`}
        call={callOf(scene, delete_webhook_endpoint, {
          params: { id: idOf(scene) },
        })}
      />,
    )
  })

  post('/webhooks/:id/delete', async scene => {
    await scene.invoke(activity, 'delete_webhook_endpoint', { params: { id: idOf(scene) } })
    return scene.go('/webhooks', 'deleted')
  })
}

const read = (scene: Scene) => scene.invoke(activity, 'get_webhook_endpoint', { params: { id: idOf(scene) } })

const rotatePage = (scene: Scene, values: FieldValues, problems?: Readonly<Record<string, string>>) => (
  <FormPage
    scene={scene}
    title="Rotate signing secret"
    part="/webhooks"
    crumbs={crumbsOf(scene)}
    action={`/webhooks/${idOf(scene)}/rotate`}
    call={callOf(scene, rotate_webhook_secret, {
      params: { id: idOf(scene) },
      fields,
    })}
    {...{ fields, values, problems }}
    button="Rotate secret"
    back={`/webhooks/${idOf(scene)}`}
  />
)
