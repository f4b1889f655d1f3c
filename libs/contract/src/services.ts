/** Every service of the product, and every operation with its service and name. */
import { entries, type manifest, type ServiceName } from './manifest.ts'
import { type Operation, subjectOf } from './core/operation.ts'

export type { ServiceName } from './manifest.ts'

export const services = Object.fromEntries(entries.map(([name, { service }]) => [name, service])) as {
  readonly [Name in ServiceName]: (typeof manifest)[Name]['service']
}

export interface NamedOperation {
  readonly service: ServiceName
  readonly name: string
  readonly operation: Operation
}

export const operations: readonly NamedOperation[] = entries.flatMap(([name, { service }]) =>
  Object.entries<Operation>(service.operations).map(([operation, definition]) => ({
    service: name,
    name: operation,
    operation: definition,
  })),
)

/** What the gateway may call: what it forwards, and what it asks itself. */
export const gatewaySubjects: readonly string[] = operations
  .filter(({ operation: { http, access } }) => http || access.gateway)
  .map(({ service, name }) => subjectOf(service, name))
  .sort()
