import { compute } from '@svc/contract/compute/compute'
import type { Problems } from '../../kit/forms/form-fields.ts'
import type { Cluster } from '../../kit/visit/cluster-name.ts'
import { actorText } from '../activity/event-text.ts'
import { callOf } from '../forms/call-of.ts'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'
import { When } from '../../kit/ui/when.tsx'
import { crumbsOf } from './crumbs.ts'
import { settingsFields } from './settings-fields.ts'

export interface Conflict {
  readonly now: Answer<'get_compute_settings'>
  readonly last: Item<'list_events'> | undefined
  readonly before: FieldValues
  readonly theirs: FieldValues
  readonly mine: FieldValues
}

interface SettingsPageProps {
  readonly scene: Scene
  readonly cluster: Cluster
  readonly etag: string
  readonly was: FieldValues
  readonly values: FieldValues
  readonly problems?: Problems
  readonly conflict?: Conflict
}

export function SettingsPage({ scene, cluster, etag, was, values, problems, conflict }: SettingsPageProps) {
  const { id } = cluster
  return (
    <FormPage
      scene={scene}
      title="Compute settings"
      part="/clusters"
      crumbs={crumbsOf(cluster)}
      action={`/clusters/${id}/settings`}
      hidden={{ etag, ...asHidden(was) }}
      call={callOf(scene, compute.operations.update_compute_settings, {
        params: { id },
        headers: { 'If-Match': etag },
        fields: settingsFields,
        args: ['--etag', etag],
      })}
      fields={settingsFields}
      {...{ values, problems }}
      button={conflict ? 'Apply my changes' : 'Save'}
      back={`/clusters/${id}`}
    >
      {conflict && <ConflictNote scene={scene} conflict={conflict} />}
    </FormPage>
  )
}

/** Sends the initial values, so that changes can be distinguished from values that were only shown. */
const asHidden = (was: FieldValues) =>
  Object.fromEntries(settingsFields.map(({ name }) => [`was.${name}`, was[name] ?? '']))

interface ConflictNoteProps {
  readonly scene: Scene
  readonly conflict: Conflict
}

function ConflictNote({ scene, conflict: { now, last, before, theirs, mine } }: ConflictNoteProps) {
  return (
    <div class="warning" role="alert" tabIndex={-1} autofocus>
      <h2>These settings changed while you were editing</h2>
      <p>
        {last ? `Updated ${actorText(last.actor)}` : 'Updated'} on{' '}
        <When at={now.updated_at} now={scene.now} />. Your changes haven’t been saved.
      </p>
      <dl class="facts">
        {settingsFields.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd class="changes">
              <span>
                Current: {before[name] !== theirs[name] && `${shown(before[name])} → `}
                {shown(theirs[name])}
              </span>
              {mine[name] !== undefined && <span>Your change: {shown(mine[name])}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const shown = (value = '') => (value === 'true' ? 'On' : value === 'false' ? 'Off' : value)
