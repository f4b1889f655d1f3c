/** The services that publish events, and with that have an outbox to be read. */
import { outboxOperations } from './core/reading-events.ts'
import { type Service, service } from './core/operation.ts'
import { entries, type ServiceName } from './manifest.ts'

export interface Publisher {
  readonly name: ServiceName
  /** What they serve to the service `activity`, which reads its own outbox without the bus. */
  readonly service: Service<string, typeof outboxOperations>
}

export const publishers: readonly Publisher[] = entries
  .filter(([, { emits }]) => emits.length > 0)
  .map(([name]) => ({ name, service: service(name, outboxOperations) }))
