/** Making a cluster, and renaming it. */
import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { keyField, keyHeader, sentKey, shownAgain, withNewKey } from '../forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

const { create_cluster, update_cluster } = compute.operations
const crumbs = [{ label: 'Clusters', path: '/clusters' }]
const fields: readonly FieldSpec[] = [{ name: 'name', label: 'Name', flag: '--name' }]

type Problems = Readonly<Record<string, string>>

export function nameClusterPages({ get, post }: ConsolePages) {
  get('/clusters/new', async scene => {
    if (!scene.may(create_cluster)) throw refusal('role_too_low')
    return scene.show(newPage(scene, withNewKey({})))
  })

  post('/clusters/new', async scene => {
    const values = valuesOf(scene)
    const sent = await send(fields, values, body =>
      scene.invoke(compute, 'create_cluster', { headers: sentKey(values), body }),
    )
    if ('done' in sent) return scene.go(`/clusters/${sent.done.id}`, 'created')
    const again = shownAgain(values, sent.refused)
    return scene.show(newPage(scene, again.values, again.problems), again.status)
  })

  get('/clusters/:id/rename', async scene => {
    if (!scene.may(update_cluster)) throw refusal('role_too_low')
    const { name } = await scene.invoke(compute, 'get_cluster', { params: { id: scene.params.id ?? '' } })
    return scene.show(renamePage(scene, { name }))
  })

  post('/clusters/:id/rename', async scene => {
    const values = valuesOf(scene)
    const params = { id: scene.params.id ?? '' }
    const sent = await send(fields, values, body => scene.invoke(compute, 'update_cluster', { params, body }))
    if ('done' in sent) return scene.go(`/clusters/${params.id}`, 'saved')
    return scene.show(renamePage(scene, values, sent.refused.problems), sent.refused.status)
  })
}

const newPage = (scene: Scene, values: FieldValues, problems?: Problems) => (
  <FormPage
    scene={scene}
    title="New cluster"
    part="/clusters"
    crumbs={crumbs}
    action="/clusters/new"
    call={callOf(scene, create_cluster, { fields, headers: keyHeader(values), svc: 'clusters create' })}
    hidden={keyField(values)}
    {...{ fields, values, problems }}
    button="Add the cluster"
    back="/clusters"
  />
)

function renamePage(scene: Scene, values: FieldValues, problems?: Problems) {
  const { id = '' } = scene.params
  return (
    <FormPage
      scene={scene}
      title="Rename the cluster"
      part="/clusters"
      crumbs={[...crumbs, { label: id, path: `/clusters/${id}` }]}
      action={`/clusters/${id}/rename`}
      call={callOf(scene, update_cluster, { params: { id }, fields, svc: 'clusters update', args: [id] })}
      {...{ fields, values, problems }}
      button="Save"
      back={`/clusters/${id}`}
    />
  )
}
