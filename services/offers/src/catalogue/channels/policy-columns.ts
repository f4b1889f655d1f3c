import type { ChannelPolicy } from '@svc/contract/offers/channel-policy'
import { fragment } from '@svc/runtime/sql-fragment'

export const policyColumns = fragment`
  p.offer_channel_id, p.number, coalesce(p.number = c.active_policy, false) as active, whole_terms(p.policy) as policy,
  unix_seconds(p.created_at) as created_at`

export interface PolicyRow {
  offer_channel_id: string
  number: number
  active: boolean
  policy: ChannelPolicy
  created_at: number
}

export const isPolicyNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)
