import type { offers } from '@svc/contract/offers'
import type { Handlers } from '@svc/contract/operation'
import { createOffer } from './create-offer.ts'
import type { Deps } from './deps.ts'
import { listInstalls } from './list-installs.ts'
import { publishChannelPolicy } from './publish-channel-policy.ts'
import { publishPackageVersion } from './publish-package-version.ts'
import { putOfferChannel } from './put-offer-channel.ts'
import { putPackage } from './put-package.ts'
import { putProduct } from './put-product.ts'
import { setCurrentVersion } from './set-current-version.ts'

export const handlers: Handlers<typeof offers, Deps> = {
  create: createOffer,
  list_installs: listInstalls,
  put_package: putPackage,
  put_product: putProduct,
  publish_package_version: publishPackageVersion,
  set_current_version: setCurrentVersion,
  put_offer_channel: putOfferChannel,
  publish_channel_policy: publishChannelPolicy,
}
