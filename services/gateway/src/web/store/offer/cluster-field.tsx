import type { Cluster } from '../../kit/visit/cluster-name.ts'
import { SelectField } from '../../kit/forms/fields.tsx'
import type { OwnClusters } from '../../kit/visit/own-clusters.ts'
import { workspaceText } from './workspace-field.tsx'

interface ClusterFieldProps {
  readonly clusters: OwnClusters
  readonly chosen: string
  readonly areNamed: boolean
  readonly problem: string | undefined
}

export function ClusterField({ clusters, chosen, areNamed, problem }: ClusterFieldProps) {
  const { groups, isPartial, isUnknown } = clusters
  return (
    <>
      {groups.length > 0 && (
        <SelectField
          name="cluster"
          label="Cluster"
          hint={areNamed ? 'Where to install it. Must belong to the workspace that orders.' : hint}
          problem={problem}
        >
          <option value="">Decide later</option>
          {groups.map(({ workspace, clusters }) =>
            areNamed ? (
              <optgroup key={workspace.id} label={workspaceText(workspace)}>
                <Options clusters={clusters} chosen={chosen} />
              </optgroup>
            ) : (
              <Options key={workspace.id} clusters={clusters} chosen={chosen} />
            ),
          )}
        </SelectField>
      )}
      {groups.length > 0 && isPartial && (
        <p class="hint">
          Only some of your clusters are listed here. To use another one, order through the API.
        </p>
      )}
      {isUnknown && (
        <p class="hint">
          We can’t list {groups.length > 0 ? 'all of your clusters' : 'your clusters'} right now. To select
          one, refresh in a moment.
        </p>
      )}
    </>
  )
}

const hint = 'Where to install it.'

interface OptionsProps {
  readonly clusters: readonly Cluster[]
  readonly chosen: string
}

const Options = ({ clusters, chosen }: OptionsProps) => (
  <>
    {clusters.map(({ id, name }) => (
      <option key={id} value={id} selected={id === chosen}>
        {name}
      </option>
    ))}
  </>
)
