import type { Item } from '../ui/answers.ts'
import { Badge } from '../../kit/ui/parts.tsx'

export const ChannelBadge = ({ status }: Pick<Item<'list_offer_channels'>, 'status'>) =>
  status === 'active' ? <Badge look="good">Active</Badge> : <Badge look="quiet">Inactive</Badge>
