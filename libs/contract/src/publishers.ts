import { outboxOperations } from './core/reading-events.ts'
import { type Service, service } from './core/operation.ts'
import { entries, type ServiceName } from './manifest.ts'

export interface Publisher {
  readonly name: ServiceName
  /** Serves its outbox to the service `activity`, which reads its own without the bus. */
  readonly service: Service<string, typeof outboxOperations>
}

export const publishers: readonly Publisher[] = entries
  .filter(([, { emits }]) => emits.length > 0)
  .map(([name]) => ({ name, service: service(name, outboxOperations) }))
