// Written by `npm run generate`.
import { operation as preview_offer } from './offers/preview-offer.ts'
import { operation as create_offer } from './offers/create-offer.ts'
import { operation as list_offers } from './offers/list-offers.ts'
import { operation as get_offer } from './offers/get-offer.ts'
import { operation as update_offer } from './offers/update-offer.ts'
import { operation as revoke_offer } from './offers/revoke-offer.ts'
import { operation as resolve_offer } from './orders/resolve-offer.ts'
import { operation as create_order } from './orders/create-order.ts'
import { operation as submit_order } from './orders/submit-order.ts'
import { operation as list_orders } from './orders/list-orders.ts'
import { operation as get_order } from './orders/get-order.ts'
import { operation as approve_order } from './orders/approve-order.ts'
import { operation as begin_checkout } from './orders/begin-checkout.ts'
import { operation as confirm_payment } from './orders/confirm-payment.ts'
import { operation as reject_order } from './orders/reject-order.ts'
import { operation as cancel_order } from './orders/cancel-order.ts'
import { operation as create_product } from './products/create-product.ts'
import { operation as list_products } from './products/list-products.ts'
import { operation as get_product } from './products/get-product.ts'
import { operation as update_product } from './products/update-product.ts'
import { operation as delete_product } from './products/delete-product.ts'
import { operation as create_package } from './packages/create-package.ts'
import { operation as list_packages } from './packages/list-packages.ts'
import { operation as get_package } from './packages/get-package.ts'
import { operation as update_package } from './packages/update-package.ts'
import { operation as create_package_version } from './packages/create-package-version.ts'
import { operation as list_package_versions } from './packages/list-package-versions.ts'
import { operation as get_package_version } from './packages/get-package-version.ts'
import { operation as delete_package } from './packages/delete-package.ts'
import { operation as create_offer_channel } from './offer-channels/create-offer-channel.ts'
import { operation as create_channel_policy } from './offer-channels/create-channel-policy.ts'
import { operation as list_channel_policies } from './offer-channels/list-channel-policies.ts'
import { operation as get_channel_policy } from './offer-channels/get-channel-policy.ts'
import { operation as activate_channel_policy } from './offer-channels/activate-channel-policy.ts'
import { operation as list_offer_channels } from './offer-channels/list-offer-channels.ts'
import { operation as get_offer_channel } from './offer-channels/get-offer-channel.ts'
import { operation as update_offer_channel } from './offer-channels/update-offer-channel.ts'
import { operation as delete_offer_channel } from './offer-channels/delete-offer-channel.ts'
import { operation as cancel_subscription } from './installs/cancel-subscription.ts'
import { operation as resume_subscription } from './installs/resume-subscription.ts'
import { operation as confirm_subscription_payment } from './installs/confirm-subscription-payment.ts'
import { operation as list_installs } from './installs/list-installs.ts'
import { operation as get_install } from './installs/get-install.ts'
import { operation as create_billing_portal } from './installs/create-billing-portal.ts'
import { operation as create_install_credential } from './installs/create-install-credential.ts'
import { operation as read_install_values } from './installs/read-install-values.ts'
import { operation as remove_install } from './installs/remove-install.ts'
import { operation as create_licence } from './installs/create-licence.ts'
import { operation as get_licence } from './installs/get-licence.ts'
import { operation as list_licence_keys } from './licence-keys/list-licence-keys.ts'
import { operation as rotate_licence_key } from './licence-keys/rotate-licence-key.ts'
import { operation as list_customers } from './customers/list-customers.ts'
import { operation as receive_stripe_event } from './webhooks/receive-stripe-event.ts'

export const httpOperations = {
  preview_offer,
  create_offer,
  list_offers,
  get_offer,
  update_offer,
  revoke_offer,
  resolve_offer,
  create_order,
  submit_order,
  list_orders,
  get_order,
  approve_order,
  begin_checkout,
  confirm_payment,
  reject_order,
  cancel_order,
  create_product,
  list_products,
  get_product,
  update_product,
  delete_product,
  create_package,
  list_packages,
  get_package,
  update_package,
  create_package_version,
  list_package_versions,
  get_package_version,
  delete_package,
  create_offer_channel,
  create_channel_policy,
  list_channel_policies,
  get_channel_policy,
  activate_channel_policy,
  list_offer_channels,
  get_offer_channel,
  update_offer_channel,
  delete_offer_channel,
  cancel_subscription,
  resume_subscription,
  confirm_subscription_payment,
  list_installs,
  get_install,
  create_billing_portal,
  create_install_credential,
  read_install_values,
  remove_install,
  create_licence,
  get_licence,
  list_licence_keys,
  rotate_licence_key,
  list_customers,
  receive_stripe_event,
}
