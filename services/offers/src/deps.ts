import type { CallBus } from '@svc/bus/call'
import { refusal } from '@svc/contract/core/errors'
import type { Call } from '@svc/contract/core/operation'
import type { Database, Sql } from '@svc/runtime/database'
import { createEventReader, type ReadEvents } from '@svc/runtime/outbox/read-events'
import type { Seal } from '@svc/runtime/seal'
import { type Checkout, manualCheckout } from './checkout/checkout.ts'
import type { InputSchemas } from './input-schema/input-schemas.ts'
import { createKeyTurns, type KeyTurns } from './offers/create/key-turns.ts'
import { type ReferenceCache, createReferenceCache } from './offers/create/reference-cache.ts'
import { createInstallReaders, type ReadInstalls } from './installs/read-installs.ts'
import type { StripeCheckout } from './checkout/stripe/stripe-payments.ts'
import { createSellers, type FindSeller } from './offers/sellers.ts'
import { type WriteOffer, createOfferWriter } from './offers/create/write-offer.ts'

export interface Deps {
  readonly sql: Sql
  readonly now: () => number
  readonly schemas: InputSchemas
  readonly referenceCache: ReferenceCache
  readonly keyTurns: KeyTurns
  readonly writeOffer: WriteOffer
  /** Called after writing an event, so that it is published at once. */
  readonly eventWritten: () => void
  readonly readEvents: ReadEvents
  readonly checkout: Checkout
  readonly readInstalls: ReadInstalls
  readonly findSeller: FindSeller
  readonly seal: Seal
  readonly stripe: StripeCheckout | undefined
  readonly call: Call
  readonly callBus: CallBus
}

export function createDeps(options: {
  readonly database: Database
  readonly now: () => number
  readonly schemas: InputSchemas
  readonly seal: Seal
  readonly eventWritten?: () => void
  readonly checkout?: Checkout
  readonly stripe?: StripeCheckout | undefined
  readonly callBus?: CallBus
}): (call: Call) => Deps {
  const { database, now, schemas, seal, eventWritten = () => {} } = options
  const { checkout = manualCheckout, stripe, callBus = unavailableBus } = options
  const shared = {
    now,
    schemas,
    seal,
    eventWritten,
    checkout,
    stripe,
    callBus,
    referenceCache: createReferenceCache(),
    keyTurns: createKeyTurns(),
    writeOffer: createOfferWriter(database),
    readInstalls: createInstallReaders(database),
    findSeller: createSellers(callBus),
    readEvents: createEventReader(database),
  }
  return call => ({
    ...shared,
    call,
    get sql() {
      return database.within(call.deadline)
    },
  })
}

const unavailableBus: CallBus = async () => {
  throw refusal('unavailable')
}
