import type { Caller } from '@svc/contract/core/caller'

export const gatewayCaller = { kind: 'internal', id: 'gateway' } as const satisfies Caller

export const anonymousCaller = { kind: 'anonymous', id: 'anonymous' } as const satisfies Caller
