/**
 * The form carries the etag that was read. If somebody else was faster, it shows their changes and offers to apply
 * the person's own changes to them.
 */
import { activity } from '@svc/contract/activity/activity'
import { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import { type FieldValues, fill } from '../../kit/forms/field-spec.ts'
import { attempt, valuesOf } from '../../kit/forms/submitted.ts'
import { isUnanswered } from '../../kit/forms/refused-as.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { settingsFields } from './settings-fields.ts'
import { type Conflict, SettingsPage } from './settings-view.tsx'

export function settingsPages({ get, post }: ConsolePages) {
  get('/clusters/:id/settings', async scene => {
    const [cluster, now] = await Promise.all([readCluster(scene), read(scene)])
    const values = valuesLike(now)
    return scene.show(<SettingsPage {...{ scene, cluster, values }} etag={now.etag} was={values} />)
  })

  post('/clusters/:id/settings', async scene => {
    const values = valuesOf(scene)
    const was = wasOf(values)
    const etag = values.etag ?? ''
    const { body, problems } = fill(settingsFields, values)
    if (Object.keys(problems).length > 0) {
      const cluster = await readCluster(scene)
      return scene.show(<SettingsPage {...{ scene, cluster, etag, was, values, problems }} />, 422)
    }
    try {
      const params = { id: scene.params.id ?? '' }
      const sent = await attempt(settingsFields, () =>
        scene.invoke(compute, 'update_compute_settings', {
          params,
          headers: { 'if-match': etag },
          body: body as never,
        }),
      )
      if ('done' in sent) return scene.go(`/clusters/${params.id}`, 'saved')
      const cluster = await readCluster(scene)
      const { problems, status } = sent.refused
      return scene.show(<SettingsPage {...{ scene, cluster, etag, was, values, problems }} />, status)
    } catch (error) {
      if (!(error instanceof ApiError && error.tag === 'ComputeSettingsConflictError')) throw error
      return showConflict(scene, values)
    }
  })
}

const readCluster = ({ invoke, params }: Scene) =>
  invoke(compute, 'get_cluster', { params: { id: params.id ?? '' } })

const read = ({ invoke, params }: Scene) =>
  invoke(compute, 'get_compute_settings', { params: { id: params.id ?? '' } })

type Settings = Awaited<ReturnType<typeof read>>

const valuesLike = ({ max_machines, auto_scaling }: Settings): FieldValues => ({
  max_machines: `${max_machines}`,
  auto_scaling_enabled: `${auto_scaling === 'active'}`,
})

const wasOf = (values: FieldValues): FieldValues =>
  Object.fromEntries(settingsFields.map(({ name }) => [name, values[`was.${name}`] ?? '']))

/** Unchanged fields are not sent: they would undo the other person's changes. */
const changedBy = (values: FieldValues, was: FieldValues): string[] =>
  settingsFields.map(({ name }) => name).filter(name => values[name] !== was[name])

async function showConflict(scene: Scene, values: FieldValues) {
  const [cluster, now, last] = await Promise.all([readCluster(scene), read(scene), lastChange(scene)])
  const before = wasOf(values)
  const theirs = valuesLike(now)
  const mine = Object.fromEntries(changedBy(values, before).map(name => [name, values[name] ?? '']))
  const conflict: Conflict = { now, last, before, theirs, mine }
  const shown = { ...values, ...theirs, ...mine }
  return scene.show(
    <SettingsPage {...{ scene, cluster, conflict }} etag={now.etag} was={theirs} values={shown} />,
    412,
  )
}

async function lastChange({ invoke, params }: Scene): Promise<Item<'list_events'> | undefined> {
  try {
    const query = { aggregate: params.id ?? '', type: 'compute_settings.updated', limit: '1' }
    return (await invoke(activity, 'list_events', { query })).data[0]
  } catch (error) {
    if (isUnanswered(error)) return undefined
    throw error
  }
}
