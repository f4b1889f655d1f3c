/** Every service of the product, and every operation with its service and name. */
import { authTokens } from './auth-tokens.ts'
import { compute } from './compute.ts'
import { rateLimitUse } from './notices.ts'
import { offers } from './offers.ts'
import { type Operation, subjectOf } from './operation.ts'

export const services = { offers, 'auth-tokens': authTokens, compute } as const
export type ServiceName = keyof typeof services

export interface NamedOperation {
  readonly service: ServiceName
  readonly name: string
  readonly operation: Operation
}

export const operations: readonly NamedOperation[] = Object.values(services).flatMap(({ name, operations }) =>
  Object.entries<Operation>(operations).map(([operation, definition]) => ({
    service: name,
    name: operation,
    operation: definition,
  })),
)

/** All that the gateway may publish: what it forwards, what it asks for itself, and what it tells other gateways. */
export const gatewaySubjects: readonly string[] = [
  rateLimitUse,
  ...operations
    .filter(({ operation: { http, access } }) => http || access.gateway)
    .map(({ service, name }) => subjectOf(service, name))
    .sort(),
]
