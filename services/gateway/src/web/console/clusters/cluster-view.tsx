import { compute } from '@svc/contract/compute/compute'
import { clusterName } from '../../kit/visit/cluster-name.ts'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { InstallsTable } from '../installs/installs-table.tsx'
import type { InstallNames } from '../installs/names.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'
import { Action, Card, Copied, Fact, Follows, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { AgentBadge } from './agent-badge.tsx'
import { MachinesChart } from './machines-chart.tsx'

const { update_cluster, update_compute_settings, create_agent_secret, delete_cluster } = compute.operations

interface ClusterPageProps {
  readonly scene: Scene
  readonly cluster: Answer<'get_cluster'>
  readonly machines: readonly Item<'list_machine_counts'>[]
  readonly installs: readonly Item<'list_installs'>[]
  readonly names: InstallNames
}

export function ClusterPage({ scene, cluster, machines, installs, names }: ClusterPageProps) {
  const { id, agent, compute_settings: settings } = cluster
  const name = clusterName(cluster)
  const path = `${scene.root}/clusters/${id}`
  return (
    <ConsolePage
      scene={scene}
      title={name}
      part="/clusters"
      crumbs={[{ label: 'Clusters', path: '/clusters' }]}
    >
      <PageHead title={name} id={id} badge={<AgentBadge agent={agent} now={scene.now} />}>
        {scene.may(update_cluster) && <Action href={`${path}/rename`}>Rename</Action>}
        {scene.may(delete_cluster) && (
          <Action href={`${path}/delete`} look="danger">
            Delete
          </Action>
        )}
      </PageHead>
      <div class="side-by-side">
        <div>
          <Card
            name="settings"
            title="Compute settings"
            actions={scene.may(update_compute_settings) && <Action href={`${path}/settings`}>Edit</Action>}
          >
            <dl class="facts">
              <Fact label="Machines">{settings.machines.toLocaleString('en')}</Fact>
              <Fact label="Maximum">{settings.max_machines.toLocaleString('en')}</Fact>
              <Fact label="Autoscaling">{settings.auto_scaling === 'active' ? 'On' : 'Off'}</Fact>
              <Fact label="Last updated">
                <When at={settings.updated_at} now={scene.now} />
              </Fact>
              <Fact label="ETag">
                <Copied text={settings.etag} label="Copy the ETag" />
              </Fact>
            </dl>
          </Card>
          <Card name="machines" title="Machines, last 7 days">
            <MachinesChart counts={machines} now={scene.now} />
          </Card>
          <Card
            name="installs"
            title="Installs in this cluster"
            actions={installs.length > 0 && <a href={`${scene.root}/installs?cluster_id=${id}`}>All</a>}
          >
            {installs.length > 0 ? (
              <InstallsTable scene={scene} installs={installs} names={names} />
            ) : (
              <p class="hint">No installs yet. Select this cluster when you order.</p>
            )}
          </Card>
        </div>
        <div>
          <Card name="agent" title="Agent">
            <dl class="facts">
              <Fact label="Secret">{agent.has_secret ? 'Set' : 'Not set'}</Fact>
              <Fact label="Last report">
                <When at={agent.last_reported_at} now={scene.now} none="Never" />
              </Fact>
            </dl>
            {agent.has_secret && agent.last_reported_at === null && <Follows />}
            {scene.may(create_agent_secret) && (
              <div class="actions">
                <Action href={`${path}/agent-secret`}>
                  {agent.has_secret ? 'Rotate secret' : 'Create secret'}
                </Action>
                {agent.has_secret && (
                  <Action href={`${path}/agent-secret/revoke`} look="danger">
                    Revoke
                  </Action>
                )}
              </div>
            )}
          </Card>
        </div>
      </div>
      <CommandLines
        call={callOf(scene, compute.operations.get_cluster, {
          params: { id },
        })}
      />
    </ConsolePage>
  )
}
