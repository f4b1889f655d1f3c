/**
 * Changing compute settings. The form carries the etag of what was read; where somebody was faster, it shows what they changed and
 * offers to apply one's own change to that.
 */
import { activity } from '@svc/contract/activity/activity'
import { compute } from '@svc/contract/compute/compute'
import { ApiError } from '@svc/contract/core/errors'
import { type FieldValues, fill } from '../forms/field-spec.ts'
import { attempt, valuesOf } from '../forms/submitted.ts'
import { isUnanswered } from '../../pages/shared/refused-as.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { settingsFields } from './settings-fields.ts'
import { type Conflict, SettingsPage } from './settings-view.tsx'

export function settingsPages({ get, post }: ConsolePages) {
  get('/clusters/:id/settings', async scene => {
    const now = await read(scene)
    return scene.show(
      <SettingsPage scene={scene} etag={now.etag} was={valuesLike(now)} values={valuesLike(now)} />,
    )
  })

  post('/clusters/:id/settings', async scene => {
    const values = valuesOf(scene)
    const was = wasOf(values)
    const etag = values.etag ?? ''
    const { body, problems } = fill(settingsFields, values)
    if (Object.keys(problems).length > 0) {
      return scene.show(<SettingsPage {...{ scene, etag, was, values, problems }} />, 422)
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
      return scene.show(
        <SettingsPage {...{ scene, etag, was, values }} problems={sent.refused.problems} />,
        sent.refused.status,
      )
    } catch (error) {
      if (!(error instanceof ApiError && error.tag === 'ComputeSettingsConflictError')) throw error
      return showConflict(scene, values)
    }
  })
}

const read = ({ invoke, params }: Scene) =>
  invoke(compute, 'get_compute_settings', { params: { id: params.id ?? '' } })

type Settings = Awaited<ReturnType<typeof read>>

const valuesLike = ({ max_machines, auto_scaling }: Settings): FieldValues => ({
  max_machines: `${max_machines}`,
  auto_scaling_enabled: `${auto_scaling === 'active'}`,
})

const wasOf = (values: FieldValues): FieldValues =>
  Object.fromEntries(settingsFields.map(({ name }) => [name, values[`was.${name}`] ?? '']))

/** What somebody left as it was shown to them is no change of theirs: it would undo what the other one did. */
function changedOnly(values: FieldValues, theirs: FieldValues): FieldValues {
  const was = wasOf(values)
  const kept = settingsFields.filter(({ name }) => values[name] === was[name])
  return { ...values, ...Object.fromEntries(kept.map(({ name }) => [name, theirs[name] ?? ''])) }
}

async function showConflict(scene: Scene, values: FieldValues) {
  const [now, last] = await Promise.all([read(scene), lastChange(scene)])
  const theirs = valuesLike(now)
  const conflict: Conflict = { now, last, theirs }
  const mine = changedOnly(values, theirs)
  const page = <SettingsPage scene={scene} etag={now.etag} was={theirs} values={mine} conflict={conflict} />
  return scene.show(page, 412)
}

/** Who was faster, as far as it is known by now. */
async function lastChange({ invoke, params }: Scene): Promise<Item<'list_events'> | undefined> {
  try {
    const query = { aggregate: params.id ?? '', type: 'compute_settings.updated', limit: '1' }
    return (await invoke(activity, 'list_events', { query })).data[0]
  } catch (error) {
    if (isUnanswered(error)) return undefined
    throw error
  }
}
