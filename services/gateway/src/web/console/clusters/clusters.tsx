import { compute } from '@svc/contract/compute/compute'
import { clusterName } from '../../kit/visit/cluster-name.ts'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { AgentBadge } from './agent-badge.tsx'
import { agentPages } from './agent.tsx'
import { clusterPage } from './cluster.tsx'
import { deleteClusterPages } from './delete-cluster.tsx'
import { nameClusterPages } from './name-cluster.tsx'
import { settingsPages } from './settings.tsx'

const { list_clusters, create_cluster } = compute.operations

export function clusterPages(pages: ConsolePages) {
  nameClusterPages(pages)
  clusterPage(pages)
  settingsPages(pages)
  agentPages(pages)
  deleteClusterPages(pages)

  pages.get('/clusters', async scene => {
    const query = queryOf(scene, list_clusters.query)
    const { data, next_cursor } = await scene.invoke(compute, 'list_clusters', { query })
    const mayCreate = scene.may(create_cluster)
    const action = mayCreate
      ? { href: `${scene.root}/clusters/new`, label: 'Add your first cluster' }
      : undefined
    return scene.show(
      <ConsolePage scene={scene} title="Clusters" part="/clusters">
        <PageHead
          title="Clusters"
          text="Where your installs run. An agent keeps each cluster within its compute settings."
        >
          {mayCreate && (
            <Action href={`${scene.root}/clusters/new`} look="main" icon="plus">
              New cluster
            </Action>
          )}
        </PageHead>
        <Card name="clusters">
          {data.length > 0 ? (
            <Table label="Clusters" items={data} keyOf={({ id }) => id} columns={columnsOf(scene)} />
          ) : (
            <Empty icon="server" title="No clusters yet" action={action}>
              {mayCreate ? undefined : 'Only owners and admins can add clusters.'}
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={next_cursor} />
        <CommandLines call={callOf(scene, list_clusters, { query })} />
      </ConsolePage>,
    )
  })
}

const columnsOf = (scene: Scene): Column<Item<'list_clusters'>>[] => [
  { label: 'Cluster', value: one => <a href={`${scene.root}/clusters/${one.id}`}>{clusterName(one)}</a> },
  { label: 'Agent', value: ({ agent }) => <AgentBadge agent={agent} now={scene.now} /> },
  { label: 'Machines', isNumber: true, value: ({ compute_settings }) => compute_settings.machines },
  { label: 'Maximum', isNumber: true, value: ({ compute_settings }) => compute_settings.max_machines },
  {
    label: 'Autoscaling',
    isExtra: true,
    value: ({ compute_settings: { auto_scaling } }) =>
      auto_scaling === 'active' ? <Badge look="good">On</Badge> : <Badge look="quiet">Off</Badge>,
  },
]
