import type { Workspace } from './acting.ts'

interface WorkspaceChoiceProps {
  readonly path: string
  readonly workspaces: readonly Workspace[]
  readonly chosen: Workspace | undefined
}

export function WorkspaceChoice({ path, workspaces, chosen }: WorkspaceChoiceProps) {
  if (workspaces.length < 2) return null
  return (
    <nav class="choice" aria-label="Workspaces">
      <ul>
        {workspaces.map(({ id, name }) => (
          <li key={id} class="long">
            {id === chosen?.id ? (
              <strong aria-current="page">{name}</strong>
            ) : (
              <a href={`${path}?workspace=${id}`}>{name}</a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
