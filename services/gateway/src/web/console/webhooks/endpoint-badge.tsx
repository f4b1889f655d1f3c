import type { Item } from '../ui/answers.ts'
import { Badge } from '../../kit/ui/parts.tsx'

type Endpoint = Pick<Item<'list_webhook_endpoints'>, 'state' | 'failing_since' | 'disabled_reason'>

export function EndpointBadge({ endpoint: { state, failing_since } }: { readonly endpoint: Endpoint }) {
  if (state === 'disabled') return <Badge look="bad">Disabled</Badge>
  if (state === 'paused') return <Badge look="waits">Paused</Badge>
  return failing_since === null ? <Badge look="good">Active</Badge> : <Badge look="bad">Failing</Badge>
}
