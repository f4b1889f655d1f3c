import type { offers } from '@svc/contract/offers'
import type { Handlers } from '@svc/contract/operation'
import { activateChannelPolicy } from './activate-channel-policy.ts'
import { approveOrder } from './approve-order.ts'
import { beginCheckout } from './begin-checkout.ts'
import { cancelOrder } from './cancel-order.ts'
import { closeCluster } from './close-cluster.ts'
import { confirmPayment } from './confirm-payment.ts'
import { createOrder } from './create-order.ts'
import { getInstall } from './get-install.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'
import { receiveStripeEvent } from './receive-stripe-event.ts'
import { rejectOrder } from './reject-order.ts'
import { resolveOffer } from './resolve-offer.ts'
import { submitOrder } from './submit-order.ts'
import { createChannelPolicy } from './create-channel-policy.ts'
import { createOfferChannel } from './create-offer-channel.ts'
import { createOffer } from './create-offer.ts'
import { createPackageVersion } from './create-package-version.ts'
import { createPackage } from './create-package.ts'
import { createProduct } from './create-product.ts'
import { deleteOfferChannel } from './delete-offer-channel.ts'
import { deletePackage } from './delete-package.ts'
import { deleteProduct } from './delete-product.ts'
import { createInstallCredential } from './create-install-credential.ts'
import type { Deps } from './deps.ts'
import { readInstallValues } from './read-install-values.ts'
import { reseal } from './reseal.ts'
import { findLatestOrder } from './find-latest-order.ts'
import { findOrderWorkspace } from './find-order-workspace.ts'
import { getOfferChannel } from './get-offer-channel.ts'
import { getOffer } from './get-offer.ts'
import { getPackageVersion } from './get-package-version.ts'
import { getPackage } from './get-package.ts'
import { getProduct } from './get-product.ts'
import { listChannelPolicies } from './list-channel-policies.ts'
import { listInstalls } from './list-installs.ts'
import { listOfferChannels } from './list-offer-channels.ts'
import { listOffers } from './list-offers.ts'
import { listPackageVersions } from './list-package-versions.ts'
import { listPackages } from './list-packages.ts'
import { listProducts } from './list-products.ts'
import { publishChannelPolicy } from './publish-channel-policy.ts'
import { publishPackageVersion } from './publish-package-version.ts'
import { putOfferChannel } from './put-offer-channel.ts'
import { putPackage } from './put-package.ts'
import { putProduct } from './put-product.ts'
import { removeInstall } from './remove-install.ts'
import { revokeOffer } from './revoke-offer.ts'
import { setCurrentVersion } from './set-current-version.ts'
import { updateOfferChannel } from './update-offer-channel.ts'
import { updatePackage } from './update-package.ts'
import { updateProduct } from './update-product.ts'
import { listQuotas } from './list-quotas.ts'
import { setQuota } from './set-quota.ts'

export const handlers: Handlers<typeof offers, Deps> = {
  create: createOffer,
  list_offers: listOffers,
  get_offer: getOffer,
  revoke_offer: revokeOffer,
  resolve_offer: resolveOffer,
  create_order: createOrder,
  list_orders: listOrders,
  get_order: getOrder,
  submit_order: submitOrder,
  cancel_order: cancelOrder,
  begin_checkout: beginCheckout,
  approve_order: approveOrder,
  reject_order: rejectOrder,
  confirm_payment: confirmPayment,
  receive_stripe_event: receiveStripeEvent,
  list_installs: listInstalls,
  get_install: getInstall,
  create_install_credential: createInstallCredential,
  read_install_values: readInstallValues,
  remove_install: removeInstall,
  reseal,
  create_package: createPackage,
  list_packages: listPackages,
  get_package: getPackage,
  update_package: updatePackage,
  delete_package: deletePackage,
  create_package_version: createPackageVersion,
  list_package_versions: listPackageVersions,
  get_package_version: getPackageVersion,
  create_product: createProduct,
  list_products: listProducts,
  get_product: getProduct,
  update_product: updateProduct,
  delete_product: deleteProduct,
  create_offer_channel: createOfferChannel,
  list_offer_channels: listOfferChannels,
  get_offer_channel: getOfferChannel,
  update_offer_channel: updateOfferChannel,
  delete_offer_channel: deleteOfferChannel,
  create_channel_policy: createChannelPolicy,
  list_channel_policies: listChannelPolicies,
  activate_channel_policy: activateChannelPolicy,
  find_order_workspace: findOrderWorkspace,
  find_latest_order: findLatestOrder,
  close_cluster: closeCluster,
  put_package: putPackage,
  put_product: putProduct,
  publish_package_version: publishPackageVersion,
  set_current_version: setCurrentVersion,
  put_offer_channel: putOfferChannel,
  publish_channel_policy: publishChannelPolicy,
  set_quota: setQuota,
  list_quotas: listQuotas,
}
