import { isSilent } from '../home/attention.ts'
import type { Item } from '../ui/answers.ts'
import { Badge } from '../../kit/ui/parts.tsx'

interface AgentBadgeProps {
  readonly agent: Item<'list_clusters'>['agent']
  readonly now: number
}

export function AgentBadge({ agent: { has_secret, last_reported_at }, now }: AgentBadgeProps) {
  if (!has_secret) return <Badge look="quiet">Not set up</Badge>
  if (last_reported_at === null) return <Badge look="waits">Waiting for first report</Badge>
  return isSilent(last_reported_at, now) ? (
    <Badge look="bad">Not reporting</Badge>
  ) : (
    <Badge look="good">Connected</Badge>
  )
}
