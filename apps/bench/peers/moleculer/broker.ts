/** One node. Metrics, tracing, cacher, circuit breaker and the rest are off, as they are unless asked for. */
import { type BrokerOptions, ServiceBroker } from 'moleculer'
import { logLevel, required } from '../shared/environment.ts'
import { logDestination } from '../shared/log.ts'

export function createBroker(node: string): ServiceBroker {
  const options: BrokerOptions = {
    // Variants that share a NATS server do not answer each other's calls.
    namespace: required('NAMESPACE'),
    nodeID: `${node}-${process.pid}`,
    transporter: required('NATS_URL'),
    validator: {
      type: 'Fastest',
      options: { considerNullAsAValue: true, haltOnFirstError: true },
    },
    logger: {
      type: 'Pino',
      options: {
        level: logLevel(),
        pino: { options: { level: logLevel() }, destination: logDestination() },
      },
    },
  }
  return new ServiceBroker(options)
}
