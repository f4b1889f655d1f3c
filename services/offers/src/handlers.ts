// Written by `npm run generate`.
import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import { commonHandlers } from '@svc/runtime/common-handlers'
import type { Deps } from './deps.ts'
import { activateChannelPolicy } from './catalogue/channels/activate-channel-policy.ts'
import { createChannelPolicy } from './catalogue/channels/create-channel-policy.ts'
import { createOfferChannel } from './catalogue/channels/create-offer-channel.ts'
import { deleteOfferChannel } from './catalogue/channels/delete-offer-channel.ts'
import { getChannelPolicy } from './catalogue/channels/get-channel-policy.ts'
import { getOfferChannel } from './catalogue/channels/get-offer-channel.ts'
import { listChannelPolicies } from './catalogue/channels/list-channel-policies.ts'
import { listOfferChannels } from './catalogue/channels/list-offer-channels.ts'
import { updateOfferChannel } from './catalogue/channels/update-offer-channel.ts'
import { findNames } from './catalogue/find-names.ts'
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
import { readCheckoutProvider } from './checkout/read-checkout-provider.ts'
import { receiveStripeEvent } from './checkout/stripe/receive-stripe-event.ts'
import { closeCluster } from './clusters/close-cluster.ts'
import { listCustomers } from './customers/list-customers.ts'
import { createInstallCredential } from './installs/create-install-credential.ts'
import { getInstall } from './installs/get-install.ts'
import { listInstalls } from './installs/list-installs.ts'
import { readInstallValues } from './installs/read-install-values.ts'
import { removeInstall } from './installs/remove-install.ts'
import { createLicence } from './licences/create-licence.ts'
import { getLicence } from './licences/get-licence.ts'
import { listLicenceKeys } from './licences/list-licence-keys.ts'
import { rotateLicenceKey } from './licences/rotate-licence-key.ts'
import { createOffer } from './offers/create/create-offer.ts'
import { previewOffer } from './offers/create/preview-offer.ts'
import { getOffer } from './offers/get-offer.ts'
import { listOffers } from './offers/list-offers.ts'
import { resolveOffer } from './offers/resolve-offer.ts'
import { revokeOffer } from './offers/revoke-offer.ts'
import { updateOffer } from './offers/update-offer.ts'
import { approveOrder } from './orders/approve-order.ts'
import { cancelOrder } from './orders/cancel-order.ts'
import { closeWorkspace } from './orders/close-workspace.ts'
import { createOrder } from './orders/create-order.ts'
import { findLatestOrder } from './orders/find-latest-order.ts'
import { findOrderWorkspace } from './orders/find-order-workspace.ts'
import { getOrder } from './orders/get-order.ts'
import { listOrders } from './orders/list-orders.ts'
import { readOrderFacts } from './orders/read-order-facts.ts'
import { rejectOrder } from './orders/reject-order.ts'
import { submitOrder } from './orders/submit-order.ts'
import { reseal } from './sealing/reseal.ts'
import { listMatches } from './search/list-matches.ts'
import { cancelSubscription } from './subscriptions/cancel-subscription.ts'
import { confirmSubscriptionPayment } from './subscriptions/confirm-subscription-payment.ts'
import { resumeSubscription } from './subscriptions/resume-subscription.ts'
import { createBillingPortal } from './subscriptions/stripe/create-billing-portal.ts'

export const handlers: Handlers<typeof offers, Deps> = {
  ...commonHandlers('offers'),
  activate_channel_policy: activateChannelPolicy,
  create_channel_policy: createChannelPolicy,
  create_offer_channel: createOfferChannel,
  delete_offer_channel: deleteOfferChannel,
  get_channel_policy: getChannelPolicy,
  get_offer_channel: getOfferChannel,
  list_channel_policies: listChannelPolicies,
  list_offer_channels: listOfferChannels,
  update_offer_channel: updateOfferChannel,
  find_names: findNames,
  create_package_version: createPackageVersion,
  create_package: createPackage,
  delete_package: deletePackage,
  get_package_version: getPackageVersion,
  get_package: getPackage,
  list_package_versions: listPackageVersions,
  list_packages: listPackages,
  update_package: updatePackage,
  create_product: createProduct,
  delete_product: deleteProduct,
  get_product: getProduct,
  list_products: listProducts,
  update_product: updateProduct,
  begin_checkout: beginCheckout,
  confirm_payment: confirmPayment,
  read_checkout_provider: readCheckoutProvider,
  receive_stripe_event: receiveStripeEvent,
  close_cluster: closeCluster,
  list_customers: listCustomers,
  create_install_credential: createInstallCredential,
  get_install: getInstall,
  list_installs: listInstalls,
  read_install_values: readInstallValues,
  remove_install: removeInstall,
  create_licence: createLicence,
  get_licence: getLicence,
  list_licence_keys: listLicenceKeys,
  rotate_licence_key: rotateLicenceKey,
  create_offer: createOffer,
  preview_offer: previewOffer,
  get_offer: getOffer,
  list_offers: listOffers,
  resolve_offer: resolveOffer,
  revoke_offer: revokeOffer,
  update_offer: updateOffer,
  approve_order: approveOrder,
  cancel_order: cancelOrder,
  close_workspace: closeWorkspace,
  create_order: createOrder,
  find_latest_order: findLatestOrder,
  find_order_workspace: findOrderWorkspace,
  get_order: getOrder,
  list_orders: listOrders,
  read_order_facts: readOrderFacts,
  reject_order: rejectOrder,
  submit_order: submitOrder,
  reseal,
  list_matches: listMatches,
  cancel_subscription: cancelSubscription,
  confirm_subscription_payment: confirmSubscriptionPayment,
  resume_subscription: resumeSubscription,
  create_billing_portal: createBillingPortal,
}
