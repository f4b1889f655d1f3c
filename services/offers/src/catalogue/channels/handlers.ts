import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { activateChannelPolicy } from './activate-channel-policy.ts'
import { createChannelPolicy } from './create-channel-policy.ts'
import { createOfferChannel } from './create-offer-channel.ts'
import { deleteOfferChannel } from './delete-offer-channel.ts'
import { getOfferChannel } from './get-offer-channel.ts'
import { getChannelPolicy } from './get-channel-policy.ts'
import { listChannelPolicies } from './list-channel-policies.ts'
import { listOfferChannels } from './list-offer-channels.ts'
import { updateOfferChannel } from './update-offer-channel.ts'

export const channelsHandlers = {
  create_offer_channel: createOfferChannel,
  list_offer_channels: listOfferChannels,
  get_offer_channel: getOfferChannel,
  update_offer_channel: updateOfferChannel,
  delete_offer_channel: deleteOfferChannel,
  create_channel_policy: createChannelPolicy,
  list_channel_policies: listChannelPolicies,
  get_channel_policy: getChannelPolicy,
  activate_channel_policy: activateChannelPolicy,
} satisfies Partial<Handlers<typeof offers, Deps>>
