/** Where events go that a consumer cannot handle, and where from an operator has them delivered again. */

/** The JetStream stream that has both. */
export const parkingStream = 'PARKED'

/** The subject of an event that this service has given up. */
export const parkedSubject = (service: string, type: string): string => `parked.${service}.${type}`
/** The subject by which it is delivered to this service, and to no other, once more. */
export const redeliverySubject = (service: string, type: string): string => `redeliver.${service}.${type}`
/** The durable consumer of one type, for all replicas of a service. */
export const consumerName = (service: string, type: string): string => `${service}-${type.replace('.', '-')}`
/** Its durable consumer of what is delivered once more. */
export const redeliveryConsumer = (service: string): string => `${service}-redeliver`
