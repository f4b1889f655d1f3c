// Written by `npm run generate`.
import { reference as list_events } from '../activity/events/list-events.ts'
import { reference as get_event } from '../activity/events/get-event.ts'
import { reference as count_events } from '../activity/events/count-events.ts'
import { reference as list_audit_log } from '../activity/events/list-audit-log.ts'
import { reference as create_webhook_endpoint } from '../activity/webhook-endpoints/create-webhook-endpoint.ts'
import { reference as list_webhook_endpoints } from '../activity/webhook-endpoints/list-webhook-endpoints.ts'
import { reference as get_webhook_endpoint } from '../activity/webhook-endpoints/get-webhook-endpoint.ts'
import { reference as update_webhook_endpoint } from '../activity/webhook-endpoints/update-webhook-endpoint.ts'
import { reference as rotate_webhook_secret } from '../activity/webhook-endpoints/rotate-webhook-secret.ts'
import { reference as pause_webhook_endpoint } from '../activity/webhook-endpoints/pause-webhook-endpoint.ts'
import { reference as resume_webhook_endpoint } from '../activity/webhook-endpoints/resume-webhook-endpoint.ts'
import { reference as create_test_delivery } from '../activity/webhook-endpoints/create-test-delivery.ts'
import { reference as get_webhook_delivery } from '../activity/webhook-endpoints/get-webhook-delivery.ts'
import { reference as redeliver_webhook } from '../activity/webhook-endpoints/redeliver-webhook.ts'
import { reference as list_webhook_deliveries } from '../activity/webhook-endpoints/list-webhook-deliveries.ts'
import { reference as delete_webhook_endpoint } from '../activity/webhook-endpoints/delete-webhook-endpoint.ts'
import { reference as create_api_token } from '../auth-tokens/api-tokens/create-api-token.ts'
import { reference as list_api_tokens } from '../auth-tokens/api-tokens/list-api-tokens.ts'
import { reference as update_api_token } from '../auth-tokens/api-tokens/update-api-token.ts'
import { reference as get_api_token } from '../auth-tokens/api-tokens/get-api-token.ts'
import { reference as rotate_api_token } from '../auth-tokens/api-tokens/rotate-api-token.ts'
import { reference as end_previous_secret } from '../auth-tokens/api-tokens/end-previous-secret.ts'
import { reference as revoke_api_token } from '../auth-tokens/api-tokens/revoke-api-token.ts'
import { reference as create_ci_trust } from '../auth-tokens/ci-trusts/create-ci-trust.ts'
import { reference as list_ci_trusts } from '../auth-tokens/ci-trusts/list-ci-trusts.ts'
import { reference as get_ci_trust } from '../auth-tokens/ci-trusts/get-ci-trust.ts'
import { reference as list_ci_attempts } from '../auth-tokens/ci-trusts/list-ci-attempts.ts'
import { reference as delete_ci_trust } from '../auth-tokens/ci-trusts/delete-ci-trust.ts'
import { reference as create_workspace } from '../auth-tokens/workspaces/create-workspace.ts'
import { reference as list_workspaces } from '../auth-tokens/workspaces/list-workspaces.ts'
import { reference as update_workspace } from '../auth-tokens/workspaces/update-workspace.ts'
import { reference as get_limits } from '../auth-tokens/workspaces/get-limits.ts'
import { reference as search_resources } from '../auth-tokens/resources/search-resources.ts'
import { reference as list_members } from '../auth-tokens/workspaces/list-members.ts'
import { reference as update_mail_preferences } from '../auth-tokens/workspaces/update-mail-preferences.ts'
import { reference as get_mail_preferences } from '../auth-tokens/workspaces/get-mail-preferences.ts'
import { reference as update_member } from '../auth-tokens/workspaces/update-member.ts'
import { reference as delete_member } from '../auth-tokens/workspaces/delete-member.ts'
import { reference as delete_workspace } from '../auth-tokens/workspaces/delete-workspace.ts'
import { reference as add_member } from '../auth-tokens/invitations/add-member.ts'
import { reference as list_workspace_invitations } from '../auth-tokens/invitations/list-workspace-invitations.ts'
import { reference as revoke_invitation } from '../auth-tokens/invitations/revoke-invitation.ts'
import { reference as list_invitations } from '../auth-tokens/invitations/list-invitations.ts'
import { reference as decline_invitation } from '../auth-tokens/invitations/decline-invitation.ts'
import { reference as accept_invitation } from '../auth-tokens/invitations/accept-invitation.ts'
import { reference as get_user } from '../auth-tokens/sessions/get-user.ts'
import { reference as update_user } from '../auth-tokens/sessions/update-user.ts'
import { reference as list_sessions } from '../auth-tokens/sessions/list-sessions.ts'
import { reference as request_confirmation } from '../auth-tokens/sessions/request-confirmation.ts'
import { reference as end_other_sessions } from '../auth-tokens/sessions/end-other-sessions.ts'
import { reference as end_session } from '../auth-tokens/sessions/end-session.ts'
import { reference as create_cluster } from '../compute/clusters/create-cluster.ts'
import { reference as list_clusters } from '../compute/clusters/list-clusters.ts'
import { reference as get_cluster } from '../compute/clusters/get-cluster.ts'
import { reference as list_machine_counts } from '../compute/clusters/list-machine-counts.ts'
import { reference as update_cluster } from '../compute/clusters/update-cluster.ts'
import { reference as create_agent_secret } from '../compute/clusters/create-agent-secret.ts'
import { reference as revoke_agent_secret } from '../compute/clusters/revoke-agent-secret.ts'
import { reference as delete_cluster } from '../compute/clusters/delete-cluster.ts'
import { reference as get_compute_settings } from '../compute/compute-settings/get-compute-settings.ts'
import { reference as update_compute_settings } from '../compute/compute-settings/update-compute-settings.ts'
import { reference as preview_offer } from '../offers/offers/preview-offer.ts'
import { reference as create_offer } from '../offers/offers/create-offer.ts'
import { reference as list_offers } from '../offers/offers/list-offers.ts'
import { reference as get_offer } from '../offers/offers/get-offer.ts'
import { reference as update_offer } from '../offers/offers/update-offer.ts'
import { reference as revoke_offer } from '../offers/offers/revoke-offer.ts'
import { reference as resolve_offer } from '../offers/orders/resolve-offer.ts'
import { reference as create_order } from '../offers/orders/create-order.ts'
import { reference as submit_order } from '../offers/orders/submit-order.ts'
import { reference as list_orders } from '../offers/orders/list-orders.ts'
import { reference as get_order } from '../offers/orders/get-order.ts'
import { reference as approve_order } from '../offers/orders/approve-order.ts'
import { reference as begin_checkout } from '../offers/orders/begin-checkout.ts'
import { reference as confirm_payment } from '../offers/orders/confirm-payment.ts'
import { reference as reject_order } from '../offers/orders/reject-order.ts'
import { reference as cancel_order } from '../offers/orders/cancel-order.ts'
import { reference as create_product } from '../offers/products/create-product.ts'
import { reference as list_products } from '../offers/products/list-products.ts'
import { reference as get_product } from '../offers/products/get-product.ts'
import { reference as update_product } from '../offers/products/update-product.ts'
import { reference as delete_product } from '../offers/products/delete-product.ts'
import { reference as create_package } from '../offers/packages/create-package.ts'
import { reference as list_packages } from '../offers/packages/list-packages.ts'
import { reference as get_package } from '../offers/packages/get-package.ts'
import { reference as update_package } from '../offers/packages/update-package.ts'
import { reference as create_package_version } from '../offers/packages/create-package-version.ts'
import { reference as list_package_versions } from '../offers/packages/list-package-versions.ts'
import { reference as get_package_version } from '../offers/packages/get-package-version.ts'
import { reference as delete_package } from '../offers/packages/delete-package.ts'
import { reference as create_offer_channel } from '../offers/offer-channels/create-offer-channel.ts'
import { reference as create_channel_policy } from '../offers/offer-channels/create-channel-policy.ts'
import { reference as list_channel_policies } from '../offers/offer-channels/list-channel-policies.ts'
import { reference as get_channel_policy } from '../offers/offer-channels/get-channel-policy.ts'
import { reference as activate_channel_policy } from '../offers/offer-channels/activate-channel-policy.ts'
import { reference as list_offer_channels } from '../offers/offer-channels/list-offer-channels.ts'
import { reference as get_offer_channel } from '../offers/offer-channels/get-offer-channel.ts'
import { reference as update_offer_channel } from '../offers/offer-channels/update-offer-channel.ts'
import { reference as delete_offer_channel } from '../offers/offer-channels/delete-offer-channel.ts'
import { reference as cancel_subscription } from '../offers/installs/cancel-subscription.ts'
import { reference as resume_subscription } from '../offers/installs/resume-subscription.ts'
import { reference as confirm_subscription_payment } from '../offers/installs/confirm-subscription-payment.ts'
import { reference as list_installs } from '../offers/installs/list-installs.ts'
import { reference as get_install } from '../offers/installs/get-install.ts'
import { reference as create_billing_portal } from '../offers/installs/create-billing-portal.ts'
import { reference as create_install_credential } from '../offers/installs/create-install-credential.ts'
import { reference as read_install_values } from '../offers/installs/read-install-values.ts'
import { reference as remove_install } from '../offers/installs/remove-install.ts'
import { reference as create_licence } from '../offers/installs/create-licence.ts'
import { reference as get_licence } from '../offers/installs/get-licence.ts'
import { reference as list_licence_keys } from '../offers/licence-keys/list-licence-keys.ts'
import { reference as rotate_licence_key } from '../offers/licence-keys/rotate-licence-key.ts'
import { reference as list_customers } from '../offers/customers/list-customers.ts'
import { reference as receive_stripe_event } from '../offers/webhooks/receive-stripe-event.ts'

/** By service and operation. */
export const references = {
  activity: {
    list_events,
    get_event,
    count_events,
    list_audit_log,
    create_webhook_endpoint,
    list_webhook_endpoints,
    get_webhook_endpoint,
    update_webhook_endpoint,
    rotate_webhook_secret,
    pause_webhook_endpoint,
    resume_webhook_endpoint,
    create_test_delivery,
    get_webhook_delivery,
    redeliver_webhook,
    list_webhook_deliveries,
    delete_webhook_endpoint,
  },
  'auth-tokens': {
    create_api_token,
    list_api_tokens,
    update_api_token,
    get_api_token,
    rotate_api_token,
    end_previous_secret,
    revoke_api_token,
    create_ci_trust,
    list_ci_trusts,
    get_ci_trust,
    list_ci_attempts,
    delete_ci_trust,
    create_workspace,
    list_workspaces,
    update_workspace,
    get_limits,
    search_resources,
    list_members,
    update_mail_preferences,
    get_mail_preferences,
    update_member,
    delete_member,
    delete_workspace,
    add_member,
    list_workspace_invitations,
    revoke_invitation,
    list_invitations,
    decline_invitation,
    accept_invitation,
    get_user,
    update_user,
    list_sessions,
    request_confirmation,
    end_other_sessions,
    end_session,
  },
  compute: {
    create_cluster,
    list_clusters,
    get_cluster,
    list_machine_counts,
    update_cluster,
    create_agent_secret,
    revoke_agent_secret,
    delete_cluster,
    get_compute_settings,
    update_compute_settings,
  },
  offers: {
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
  },
}
