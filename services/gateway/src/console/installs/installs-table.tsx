import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { Table } from '../ui/list.tsx'
import { Badge } from '../ui/parts.tsx'
import { When } from '../ui/when.tsx'

interface InstallsTableProps {
  readonly scene: Scene
  readonly installs: readonly Item<'list_installs'>[]
}

export const InstallBadge = ({ state }: Pick<Item<'list_installs'>, 'state'>) =>
  state === 'started' ? <Badge look="good">Started</Badge> : <Badge look="quiet">Removed</Badge>

export const InstallsTable = ({ scene, installs }: InstallsTableProps) => (
  <Table
    label="Installs"
    items={installs}
    keyOf={({ id }) => id}
    columns={[
      {
        label: 'Install',
        value: ({ id }) => (
          <a href={`${scene.root}/installs/${id}`}>
            <code>{id}</code>
          </a>
        ),
      },
      { label: 'State', value: ({ state }) => <InstallBadge state={state} /> },
      {
        label: 'Cluster',
        isExtra: true,
        value: ({ cluster_id }) => (cluster_id ? <code>{cluster_id}</code> : '–'),
      },
      { label: 'Started', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
      {
        label: 'Removed',
        isExtra: true,
        value: ({ removed_at }) => <When at={removed_at} now={scene.now} />,
      },
    ]}
  />
)
