import type { Caller } from '@svc/contract/core/caller'

/** The gateway itself, for calls before the caller is known. */
export const gatewayCaller = { kind: 'internal', id: 'gateway' } as const satisfies Caller

/** A caller without a credential. */
export const anonymousCaller = { kind: 'anonymous', id: 'anonymous' } as const satisfies Caller
