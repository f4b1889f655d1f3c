import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import { outboxHandlers } from '@svc/runtime/outbox/read-events'
import { activateChannelPolicy } from './catalogue/channels/activate-channel-policy.ts'
import { createChannelPolicy } from './catalogue/channels/create-channel-policy.ts'
import { createOfferChannel } from './catalogue/channels/create-offer-channel.ts'
import { deleteOfferChannel } from './catalogue/channels/delete-offer-channel.ts'
import { getChannelPolicy } from './catalogue/channels/get-channel-policy.ts'
import { getOfferChannel } from './catalogue/channels/get-offer-channel.ts'
import { listChannelPolicies } from './catalogue/channels/list-channel-policies.ts'
import { listOfferChannels } from './catalogue/channels/list-offer-channels.ts'
import { updateOfferChannel } from './catalogue/channels/update-offer-channel.ts'
import { createPackageVersion } from './catalogue/packages/create-package-version.ts'
import { createPackage } from './catalogue/packages/create-package.ts'
import { deletePackage } from './catalogue/packages/delete-package.ts'
import { getPackageVersion } from './catalogue/packages/get-package-version.ts'
import { getPackage } from './catalogue/packages/get-package.ts'
import { listPackageVersions } from './catalogue/packages/list-package-versions.ts'
import { listPackages } from './catalogue/packages/list-packages.ts'
import { updatePackage } from './catalogue/packages/update-package.ts'
import { createProduct } from './catalogue/products/create-product.ts'
import { deleteProduct } from './catalogue/products/delete-product.ts'
import { getProduct } from './catalogue/products/get-product.ts'
import { listProducts } from './catalogue/products/list-products.ts'
import { updateProduct } from './catalogue/products/update-product.ts'
import { beginCheckout } from './checkout/begin-checkout.ts'
import { confirmPayment } from './checkout/manual/confirm-payment.ts'
import { receiveStripeEvent } from './checkout/stripe/receive-stripe-event.ts'
import { closeCluster } from './clusters/close-cluster.ts'
import type { Deps } from './deps.ts'
import { createInstallCredential } from './installs/create-install-credential.ts'
import { getInstall } from './installs/get-install.ts'
import { listInstalls } from './installs/list-installs.ts'
import { readInstallValues } from './installs/read-install-values.ts'
import { removeInstall } from './installs/remove-install.ts'
import { createOffer } from './offers/create/create-offer.ts'
import { getOffer } from './offers/get-offer.ts'
import { listOffers } from './offers/list-offers.ts'
import { resolveOffer } from './offers/resolve-offer.ts'
import { revokeOffer } from './offers/revoke-offer.ts'
import { approveOrder } from './orders/approve-order.ts'
import { cancelOrder } from './orders/cancel-order.ts'
import { createOrder } from './orders/create-order.ts'
import { findLatestOrder } from './orders/find-latest-order.ts'
import { findOrderWorkspace } from './orders/find-order-workspace.ts'
import { getOrder } from './orders/get-order.ts'
import { listOrders } from './orders/list-orders.ts'
import { readOrderFacts } from './orders/read-order-facts.ts'
import { rejectOrder } from './orders/reject-order.ts'
import { submitOrder } from './orders/submit-order.ts'
import { listQuotas } from './quotas/list-quotas.ts'
import { setQuota } from './quotas/set-quota.ts'
import { reseal } from './sealing/reseal.ts'

export const handlers: Handlers<typeof offers, Deps> = {
  create_offer: createOffer,
  list_offers: listOffers,
  get_offer: getOffer,
  revoke_offer: revokeOffer,
  resolve_offer: resolveOffer,
  create_order: createOrder,
  list_orders: listOrders,
  get_order: getOrder,
  submit_order: submitOrder,
  cancel_order: cancelOrder,
  approve_order: approveOrder,
  reject_order: rejectOrder,
  find_order_workspace: findOrderWorkspace,
  find_latest_order: findLatestOrder,
  read_order_facts: readOrderFacts,
  begin_checkout: beginCheckout,
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
  get_channel_policy: getChannelPolicy,
  activate_channel_policy: activateChannelPolicy,
  close_cluster: closeCluster,
  set_quota: setQuota,
  list_quotas: listQuotas,
  ...outboxHandlers,
}
