/** What the OpenAPI document says of offer channels. */
import type { Reference } from '../openapi/operation-reference.ts'

export const offerChannelsReference = {
  create_offer_channel: {
    command: {
      name: 'channels create',
      examples: ["channels create --product prod_01h455vb4pex5vsknk084sn02q --name 'Resellers'"],
    },
    page: '/catalogue/channels/new',
    group: 'Offer channels',
    description:
      'A new channel has no policy, and without an active one no offers can be created through it.',
    codes: ['key_reused', 'unknown_reference', 'quota_exceeded'],
  },
  list_offer_channels: {
    command: 'channels list',
    page: '/catalogue',
    group: 'Offer channels',
    description: 'Newest first.',
  },
  get_offer_channel: {
    command: 'channels get',
    page: '/catalogue/channels/:id',
    group: 'Offer channels',
    description: 'With the number of its active policy.',
  },
  update_offer_channel: {
    command: {
      name: 'channels update',
      examples: ['channels update och_01h455vb4pex5vsknk084sn02q --status inactive'],
    },
    page: '/catalogue/channels/:id/edit',
    group: 'Offer channels',
    description:
      'Omitted fields stay the same. No offers can be created through an inactive channel; existing ones stay valid.',
  },
  delete_offer_channel: {
    command: 'channels delete',
    page: '/catalogue/channels/:id/delete',
    group: 'Offer channels',
    description:
      'Its policies are deleted with it. Refused while an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_channel_policy: {
    command: {
      name: 'channels policies publish',
      examples: [
        'channels policies publish och_01h455vb4pex5vsknk084sn02q --policy policy.json --activate',
        'channels policies publish och_01h455vb4pex5vsknk084sn02q --policy - < policy.json',
      ],
    },
    page: '/catalogue/channels/:id/policies/new',
    group: 'Offer channels',
    description:
      'Policies are numbered from 1 and never change. A price range has a `default_price` within it, for offers that request none; `default_commercial_mode` is for those that name none. So `product_id` and `offer_channel_id` are all that an active channel needs. With `activate`, the policy applies to new offers from now on; existing offers keep their terms.',
    codes: ['quota_exceeded'],
  },
  list_channel_policies: {
    command: {
      name: 'channels policies list',
      columns: [
        'number',
        'active',
        'approval: policy.approval',
        'checkout: policy.checkout',
        'pricing: policy.pricing.kind',
        'created_at',
      ],
    },
    page: '/catalogue/channels/:id',
    group: 'Offer channels',
    description: 'Newest first.',
  },
  get_channel_policy: {
    command: 'channels policies get',
    page: '/catalogue/channels/:id/policies/:number',
    group: 'Offer channels',
    description: 'Any policy of the channel, by its number.',
  },
  activate_channel_policy: {
    command: {
      name: 'channels policies activate',
      help: 'Apply a policy to new offers from now on.',
      examples: ['channels policies activate och_01h455vb4pex5vsknk084sn02q 3'],
    },
    page: '/catalogue/channels/:id/policies/:number/activate',
    group: 'Offer channels',
    description: 'Any policy of the channel, including an earlier one. Repeating the call changes nothing.',
  },
} as const satisfies Record<string, Reference>
