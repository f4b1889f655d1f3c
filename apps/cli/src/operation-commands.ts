/**
 * For each operation of the HTTP API the command of `svc` that does it, as it is typed, or why there is none: then it is
 * `svc api`. Held by `test/parity.test.ts`; an operation without an entry is a compile error.
 */
import type { services } from '@svc/contract/services'

/** Why no command does it. */
export interface NoCommand {
  readonly reason: string
}

type Services = typeof services
export type HttpOperation<Name extends keyof Services> = {
  [Op in keyof Services[Name]['operations']]: Services[Name]['operations'][Op] extends { http: object }
    ? Op
    : never
}[keyof Services[Name]['operations']]

/** By service and operation. */
export const operationCommands: {
  readonly [Name in keyof Services]: { readonly [Op in HttpOperation<Name>]: string | NoCommand }
} = {
  offers: {
    create_offer: 'offers create',
    list_offers: 'offers list',
    get_offer: 'offers get',
    revoke_offer: 'offers revoke',
    resolve_offer: 'offers resolve',
    create_order: 'orders create',
    list_orders: 'orders list',
    get_order: 'orders get',
    submit_order: 'orders submit',
    cancel_order: 'orders cancel',
    begin_checkout: 'orders checkout',
    approve_order: 'orders approve',
    reject_order: 'orders reject',
    confirm_payment: 'orders confirm-payment',
    receive_stripe_event: { reason: 'Stripe calls it, with its signature.' },
    list_installs: 'installs list',
    get_install: 'installs get',
    create_install_credential: 'installs create-credential',
    read_install_values: { reason: 'The install calls it, with a credential of its own.' },
    remove_install: 'installs remove',
    create_package: 'packages create',
    list_packages: 'packages list',
    get_package: 'packages get',
    update_package: 'packages update',
    delete_package: 'packages delete',
    create_package_version: 'versions publish',
    list_package_versions: 'versions list',
    get_package_version: 'versions get',
    create_product: 'products create',
    list_products: 'products list',
    get_product: 'products get',
    update_product: 'products update',
    delete_product: 'products delete',
    create_offer_channel: 'channels create',
    list_offer_channels: 'channels list',
    get_offer_channel: 'channels get',
    update_offer_channel: 'channels update',
    delete_offer_channel: 'channels delete',
    create_channel_policy: 'channels policies publish',
    list_channel_policies: 'channels policies list',
    get_channel_policy: 'channels policies get',
    activate_channel_policy: 'channels policies activate',
  },
  'auth-tokens': {
    create_api_token: 'tokens create',
    list_api_tokens: 'tokens list',
    rotate_api_token: 'tokens rotate',
    revoke_api_token: 'tokens revoke',
    list_sessions: 'sessions list',
    end_session: 'sessions end',
    end_other_sessions: 'sessions end-others',
    get_user: 'whoami',
    create_workspace: 'workspace create',
    list_workspaces: 'workspace list',
    update_workspace: 'workspace update',
    list_members: 'members list',
    add_member: 'members invite',
    update_member: 'members set-role',
    delete_member: 'members remove',
    list_invitations: 'invitations list',
    accept_invitation: 'invitations accept',
    decline_invitation: 'invitations decline',
    list_workspace_invitations: 'members invitations',
    revoke_invitation: 'members uninvite',
    get_mail_preferences: 'mail list',
    update_mail_preferences: 'mail off',
    get_limits: 'limits',
  },
  compute: {
    create_cluster: 'clusters create',
    list_clusters: 'clusters list',
    get_cluster: 'clusters get',
    list_machine_counts: 'clusters machines',
    update_cluster: 'clusters update',
    delete_cluster: 'clusters delete',
    get_compute_settings: 'clusters settings get',
    update_compute_settings: 'clusters settings set',
    create_agent_secret: 'clusters agent-secret create',
    revoke_agent_secret: 'clusters agent-secret revoke',
  },
  activity: {
    list_events: 'events list',
    count_events: 'events count',
    get_event: 'events get',
    list_audit_log: 'audit',
    create_webhook_endpoint: 'webhooks create',
    list_webhook_endpoints: 'webhooks list',
    get_webhook_endpoint: 'webhooks get',
    update_webhook_endpoint: 'webhooks update',
    delete_webhook_endpoint: 'webhooks delete',
    rotate_webhook_secret: 'webhooks rotate',
    pause_webhook_endpoint: 'webhooks pause',
    resume_webhook_endpoint: 'webhooks resume',
    create_test_delivery: 'webhooks test',
    list_webhook_deliveries: 'webhooks deliveries',
    redeliver_webhook: 'webhooks redeliver',
  },
}
