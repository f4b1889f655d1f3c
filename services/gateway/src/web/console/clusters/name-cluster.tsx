import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import type { Cluster } from '../../kit/visit/cluster-name.ts'
import { callOf } from '../forms/call-of.ts'
import { keyField, keyHeader, sentKey, shownAgain, withNewKey } from '../../kit/forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { crumbsOf } from './crumbs.ts'

const { create_cluster, update_cluster } = compute.operations
const fields: readonly FieldSpec[] = [{ name: 'name', label: 'Name' }]

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
    const cluster = await read(scene)
    return scene.show(renamePage(scene, cluster, { name: cluster.name }))
  })

  post('/clusters/:id/rename', async scene => {
    const values = valuesOf(scene)
    const params = { id: scene.params.id ?? '' }
    const sent = await send(fields, values, body => scene.invoke(compute, 'update_cluster', { params, body }))
    if ('done' in sent) return scene.go(`/clusters/${params.id}`, 'saved')
    const { problems, status } = sent.refused
    return scene.show(renamePage(scene, await read(scene), values, problems), status)
  })
}

const newPage = (scene: Scene, values: FieldValues, problems?: Problems) => (
  <FormPage
    scene={scene}
    title="New cluster"
    part="/clusters"
    crumbs={[{ label: 'Clusters', path: '/clusters' }]}
    action="/clusters/new"
    call={callOf(scene, create_cluster, { fields, headers: keyHeader(values) })}
    hidden={keyField(values)}
    {...{ fields, values, problems }}
    button="Create cluster"
    back="/clusters"
  />
)

const read = ({ invoke, params: { id = '' } }: Scene) => invoke(compute, 'get_cluster', { params: { id } })

function renamePage(scene: Scene, cluster: Cluster, values: FieldValues, problems?: Problems) {
  const { id } = cluster
  return (
    <FormPage
      scene={scene}
      title="Rename cluster"
      part="/clusters"
      crumbs={crumbsOf(cluster)}
      action={`/clusters/${id}/rename`}
      call={callOf(scene, update_cluster, { params: { id }, fields })}
      {...{ fields, values, problems }}
      button="Save"
      back={`/clusters/${id}`}
    />
  )
}
