/** What the OpenAPI document says of offer channels. */
import type { Reference } from '../openapi/operation-reference.ts'

export const offerChannelsReference = {
  create_offer_channel: {
    group: 'Offer channels',
    description:
      'A new channel has no policy, and without an active one no offers can be created through it.',
    codes: ['key_reused', 'unknown_reference', 'quota_exceeded'],
  },
  list_offer_channels: { group: 'Offer channels', description: 'Newest first.' },
  get_offer_channel: { group: 'Offer channels', description: 'With the number of its active policy.' },
  update_offer_channel: {
    group: 'Offer channels',
    description:
      'Omitted fields stay the same. No offers can be created through an inactive channel; existing ones stay valid.',
  },
  delete_offer_channel: {
    group: 'Offer channels',
    description:
      'Its policies are deleted with it. Refused while an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_channel_policy: {
    group: 'Offer channels',
    description:
      'Policies are numbered from 1 and never change. A price range has a `default_price` within it, for offers that request none; `default_commercial_mode` is for those that name none. So `product_id` and `offer_channel_id` are all that an active channel needs. With `activate`, the policy applies to new offers from now on; existing offers keep their terms.',
    codes: ['quota_exceeded'],
  },
  list_channel_policies: { group: 'Offer channels', description: 'Newest first.' },
  get_channel_policy: { group: 'Offer channels', description: 'Any policy of the channel, by its number.' },
  activate_channel_policy: {
    group: 'Offer channels',
    description: 'Any policy of the channel, including an earlier one. Repeating the call changes nothing.',
  },
} as const satisfies Record<string, Reference>
