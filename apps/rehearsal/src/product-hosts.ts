/** The hosts of a small production, and what runs on each. */

export const natsHosts = ['nats-0', 'nats-1', 'nats-2'] as const
export const gatewayHosts = ['gateway-1', 'gateway-2'] as const
export const serviceHosts = [
  'offers-1',
  'offers-2',
  'auth-tokens-1',
  'auth-tokens-2',
  'compute-1',
  'compute-2',
  'activity-1',
  'activity-2',
] as const
export const processHosts = [...serviceHosts, ...gatewayHosts] as const

export const hostNames = [...natsHosts, 'postgres', ...processHosts, 'client']
export type ProcessHost = (typeof processHosts)[number]

/** NATS servers have the names that are in their certificates in Kubernetes. */
export const aliases = Object.fromEntries(natsHosts.map(name => [name, `${name}.nats`]))

/** `offers` of `offers-2`. */
export const programOf = (host: ProcessHost) =>
  host.replace(/-\d$/, '') as 'offers' | 'auth-tokens' | 'compute' | 'activity' | 'gateway'
