import type { Caller } from '@svc/contract/caller'

/** The gateway itself, where it asks before it knows who somebody is. */
export const gatewayCaller = { kind: 'internal', id: 'gateway' } as const satisfies Caller

/** Who comes without a credential. */
export const nobody = { kind: 'anonymous', id: 'anonymous' } as const satisfies Caller
