/** `svc clusters agent-secret create|revoke`: the secret with which a cluster's agent connects to the bus. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { parseDuration, parseId, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function agentSecretCommands(clusters: Command, cli: Cli): void {
  const secret = clusters.command('agent-secret').description('The secret of a cluster’s agent.')
  withExamples(
    secret.command('create').description('Create a new secret for the agent; it is shown only once.'),
    'clusters agent-secret create clus_01h455vb4pex5vsknk084sn02q --grace 1h',
  )
    .argument('<id>', 'clus_…', parseId)
    .option(
      '--grace <duration>',
      'how long the previous secret stays valid, such as 1h (default: not at all)',
      parseDuration,
    )
    .action((id, options) => create(cli, id, options))
  secret
    .command('revoke')
    .description('Revoke the agent’s secret; it is refused from then on.')
    .argument('<id>', 'clus_…', parseId)
    .action(id => revoke(cli, id))
}

interface AgentSecret {
  readonly cluster_id: string
  readonly secret: string
  readonly previous_expires_at?: number
}

const columns: Column<AgentSecret>[] = [
  { name: 'cluster_id', value: ({ cluster_id }) => cluster_id },
  { name: 'secret', value: ({ secret }) => secret },
  { name: 'previous_expires_at', value: ({ previous_expires_at }) => timeText(previous_expires_at ?? null) },
]

async function create(cli: Cli, id: string, { grace }: { grace?: number }): Promise<void> {
  const { client } = await cli.connect()
  const request = { params: { id }, body: { grace_seconds: grace } }
  const { body } = await cli.call('creating', options => client.compute.create_agent_secret(request, options))
  cli.print(body, secret => detailsText(cli.terminal, columns, secret))
  if (!cli.options.json) cli.note('Copy the secret now: it won’t be shown again.')
}

async function revoke(cli: Cli, id: string): Promise<void> {
  const { client } = await cli.connect()
  await cli.call('revoking', options => client.compute.revoke_agent_secret({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Revoked the agent secret of ${id}.`)
}
