import type { Workspace } from '../../kit/visit/acting.ts'
import { workspaceNameField } from '../../kit/forms/account-fields.ts'
import { Fields, SelectField } from '../../kit/forms/fields.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import type { OwnOrder } from './resolve-offer.ts'

interface Choice {
  readonly workspaces: readonly Workspace[]
  readonly workspace: string
  readonly order: OwnOrder | undefined
}

export interface WorkspaceFieldProps extends Choice {
  readonly workspaceName: string
  readonly form: Problems
}

/** What they chose before, here or with an order in progress; otherwise the oldest. */
export function preselected({ workspaces, workspace, order }: Choice): string | undefined {
  const before = workspace || (order?.state === 'open' ? order.workspace_id : '')
  return workspaces.some(({ id }) => id === before) ? before : workspaces[0]?.id
}

export const workspaceText = ({ name, owner }: Workspace): string =>
  owner ? `${name} (owner: ${owner})` : name

export const nameField = workspaceNameField(
  'workspace_name',
  'Workspace name',
  'Orders belong to a workspace, and you don’t have one yet. We’ll create a workspace with this name.',
)

export function WorkspaceField(props: WorkspaceFieldProps) {
  const { workspaces, workspaceName, form } = props
  const [only, ...others] = workspaces
  if (!only) {
    return <Fields fields={[nameField]} values={{ workspace_name: workspaceName }} problems={form} />
  }
  if (others.length === 0) {
    return (
      <p>
        Ordering for <strong class="long">{only.name}</strong>
        {only.owner && (
          <>
            {' '}
            (owner: <span class="long">{only.owner}</span>)
          </>
        )}
        <input type="hidden" name="workspace" value={only.id} />
      </p>
    )
  }
  const selected = preselected(props)
  return (
    <SelectField
      name="workspace"
      label="Workspace"
      hint="Your order will belong to this workspace."
      problem={form.workspace}
      required
    >
      {workspaces.map(one => (
        <option key={one.id} value={one.id} selected={one.id === selected}>
          {workspaceText(one)}
        </option>
      ))}
    </SelectField>
  )
}
