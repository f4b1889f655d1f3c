/**
 * For each operation of the HTTP API the page of the console that does it, as a path below the workspace's root, or the reason why
 * there is none. `~` begins a path of the site. With the commands of `svc` it makes docs/parity.md; `test/console/parity.test.ts`
 * holds both.
 */
import type { services } from '@svc/contract/services'

export interface NoPlace {
  readonly reason: string
}

type Services = typeof services
type HttpOperation<Name extends keyof Services> = {
  [Op in keyof Services[Name]['operations']]: Services[Name]['operations'][Op] extends { http: object }
    ? Op
    : never
}[keyof Services[Name]['operations']]

export const operationPlaces: {
  readonly [Name in keyof Services]: { readonly [Op in HttpOperation<Name>]: string | NoPlace }
} = {
  offers: {
    create_offer: '/offers/new',
    list_offers: '/offers',
    get_offer: '/offers/:id',
    revoke_offer: '/offers/:id/revoke',
    resolve_offer: '~/i/:short_hash',
    create_order: '~/i/:short_hash',
    list_orders: '/orders',
    get_order: '~/orders/:id',
    submit_order: '~/i/:short_hash',
    cancel_order: '~/orders/:id/cancel',
    begin_checkout: '~/i/:short_hash',
    approve_order: '/orders/:id/approve',
    reject_order: '/orders/:id/reject',
    confirm_payment: '/orders/:id/confirm-payment',
    receive_stripe_event: { reason: 'Stripe calls it, with its signature.' },
    list_installs: '/installs',
    get_install: '/installs/:id',
    create_install_credential: '/installs/:id/credential',
    read_install_values: { reason: 'The install calls it, with a credential of its own.' },
    remove_install: '/installs/:id/remove',
    create_package: '/catalogue/packages/new',
    list_packages: '/catalogue',
    get_package: '/catalogue/packages/:id',
    update_package: '/catalogue/packages/:id/rename',
    delete_package: '/catalogue/packages/:id/delete',
    create_package_version: '/catalogue/packages/:id/versions/new',
    list_package_versions: '/catalogue/packages/:id',
    get_package_version: '/catalogue/versions/:id',
    create_product: '/catalogue/products/new',
    list_products: '/catalogue',
    get_product: '/catalogue/products/:id',
    update_product: '/catalogue/products/:id/rename',
    delete_product: '/catalogue/products/:id/delete',
    create_offer_channel: '/catalogue/channels/new',
    list_offer_channels: '/catalogue',
    get_offer_channel: '/catalogue/channels/:id',
    update_offer_channel: '/catalogue/channels/:id/edit',
    delete_offer_channel: '/catalogue/channels/:id/delete',
    create_channel_policy: '/catalogue/channels/:id/policies/new',
    list_channel_policies: '/catalogue/channels/:id',
    get_channel_policy: '/catalogue/channels/:id/policies/:number',
    activate_channel_policy: '/catalogue/channels/:id/policies/:number/activate',
  },
  'auth-tokens': {
    create_api_token: '/tokens/new',
    list_api_tokens: '/tokens',
    rotate_api_token: '/tokens/:id/rotate',
    revoke_api_token: '/tokens/:id/revoke',
    list_sessions: '~/sessions',
    end_session: '~/sessions/end',
    end_other_sessions: '~/sessions/end-others',
    get_user: { reason: 'Each page says who is signed in, as it is read with the session.' },
    create_workspace: '~/console/new',
    list_workspaces: '/settings',
    update_workspace: '/settings',
    list_members: '/members',
    add_member: '/members/invite',
    update_member: '/members/:user_id/role',
    delete_member: '/members/:user_id/remove',
    list_invitations: '~/invitations',
    accept_invitation: '~/invitations/accept',
    decline_invitation: '~/invitations/decline',
    list_workspace_invitations: '/members',
    revoke_invitation: '/members/invitations/:id/revoke',
    get_mail_preferences: '~/mail',
    update_mail_preferences: '~/mail',
    get_limits: '/settings',
  },
  compute: {
    create_cluster: '/clusters/new',
    list_clusters: '/clusters',
    get_cluster: '/clusters/:id',
    update_cluster: '/clusters/:id/rename',
    delete_cluster: '/clusters/:id/delete',
    get_compute_settings: '/clusters/:id/settings',
    update_compute_settings: '/clusters/:id/settings',
    list_machine_counts: '/clusters/:id',
    create_agent_secret: '/clusters/:id/agent-secret',
    revoke_agent_secret: '/clusters/:id/agent-secret/revoke',
  },
  activity: {
    list_events: '/activity',
    count_events: '',
    get_event: '/activity/:id',
    list_audit_log: '/activity/audit-log',
    create_webhook_endpoint: '/webhooks/new',
    list_webhook_endpoints: '/webhooks',
    get_webhook_endpoint: '/webhooks/:id',
    update_webhook_endpoint: '/webhooks/:id/edit',
    delete_webhook_endpoint: '/webhooks/:id/delete',
    rotate_webhook_secret: '/webhooks/:id/rotate',
    pause_webhook_endpoint: '/webhooks/:id/pause',
    resume_webhook_endpoint: '/webhooks/:id/resume',
    create_test_delivery: '/webhooks/:id/test',
    list_webhook_deliveries: '/webhooks/:id',
    redeliver_webhook: '/webhooks/:id/redeliver',
  },
}
