import { compute } from '@svc/contract/compute/compute'
import type { Problems } from '../../pages/shared/form-fields.ts'
import { actorText } from '../activity/event-text.ts'
import { callOf } from '../forms/call-of.ts'
import type { FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'
import { When } from '../ui/when.tsx'
import { settingsFields } from './settings-fields.ts'

export interface Conflict {
  readonly now: Answer<'get_compute_settings'>
  readonly last: Item<'list_events'> | undefined
  /** What they are now, as the form has them. */
  readonly theirs: FieldValues
}

interface SettingsPageProps {
  readonly scene: Scene
  readonly etag: string
  /** With which the form began. */
  readonly was: FieldValues
  readonly values: FieldValues
  readonly problems?: Problems
  readonly conflict?: Conflict
}

export function SettingsPage({ scene, etag, was, values, problems, conflict }: SettingsPageProps) {
  const { id = '' } = scene.params
  return (
    <FormPage
      scene={scene}
      title="Compute settings"
      part="/clusters"
      crumbs={[
        { label: 'Clusters', path: '/clusters' },
        { label: id, path: `/clusters/${id}` },
      ]}
      action={`/clusters/${id}/settings`}
      hidden={{ etag, ...asHidden(was) }}
      call={callOf(scene, compute.operations.update_compute_settings, {
        params: { id },
        headers: { 'If-Match': etag },
        fields: settingsFields,
        svc: 'clusters settings set',
        args: [id, '--etag', etag],
      })}
      fields={settingsFields}
      {...{ values, problems }}
      button={conflict ? 'Apply my change to these settings' : 'Save'}
      back={`/clusters/${id}`}
    >
      {conflict && <ConflictNote scene={scene} values={values} conflict={conflict} />}
    </FormPage>
  )
}

/** What the form began with goes with it, so that a change can be told from what was only shown. */
const asHidden = (was: FieldValues) =>
  Object.fromEntries(settingsFields.map(({ name }) => [`was.${name}`, was[name] ?? '']))

interface ConflictNoteProps {
  readonly scene: Scene
  readonly values: FieldValues
  readonly conflict: Conflict
}

function ConflictNote({ scene, values, conflict: { now, last, theirs } }: ConflictNoteProps) {
  return (
    <div class="warning" role="alert" tabIndex={-1} autofocus>
      <h2>Somebody changed the settings meanwhile</h2>
      <p>
        {last ? `Changed ${actorText(last.actor)}` : 'Changed'} at{' '}
        <When at={now.updated_at} now={scene.now} />. Nothing of yours was saved.
      </p>
      <dl class="facts">
        {settingsFields.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd class="changes">
              <span>Now: {shown(theirs[name])}</span>
              <span>Yours: {shown(values[name])}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const shown = (value = '') => (value === 'true' ? 'Yes' : value === 'false' ? 'No' : value)
