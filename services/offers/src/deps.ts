import type { Call } from '@svc/contract/core/operation'
import type { Seal } from '@svc/runtime/seal'
import {
  createServiceDeps,
  type ServiceDeps,
  type ServiceDepsOptions,
  unavailableBus,
} from '@svc/runtime/service-deps'
import { type Checkout, manualCheckout } from './checkout/checkout.ts'
import type { InputSchemas } from './input-schema/input-schemas.ts'
import { createKeyTurns, type KeyTurns } from './offers/create/key-turns.ts'
import { type ReferenceCache, createReferenceCache } from './offers/create/reference-cache.ts'
import { createInstallReaders, type ReadInstalls } from './installs/read-installs.ts'
import type { StripeCheckout } from './checkout/stripe/stripe-payments.ts'
import { createTurns, type InTurn } from '@svc/runtime/turns'
import { createSellers, type FindSeller } from './offers/sellers.ts'
import { type WriteOffer, createOfferWriter } from './offers/create/write-offer.ts'

export interface Deps extends ServiceDeps {
  readonly schemas: InputSchemas
  readonly referenceCache: ReferenceCache
  readonly keyTurns: KeyTurns
  readonly writeOffer: WriteOffer
  readonly checkout: Checkout
  readonly readInstalls: ReadInstalls
  readonly findSeller: FindSeller
  readonly searchTurns: InTurn
  readonly seal: Seal
  readonly stripe: StripeCheckout | undefined
  readonly publicUrl: string
}

interface DepsOptions extends ServiceDepsOptions {
  readonly schemas: InputSchemas
  readonly seal: Seal
  readonly checkout?: Checkout
  readonly stripe?: StripeCheckout | undefined
  readonly publicUrl: string
}

export function createDeps(options: DepsOptions): (call: Call) => Deps {
  const { database, schemas, seal, checkout = manualCheckout, stripe, publicUrl } = options
  const serviceDeps = createServiceDeps(options)
  const own = {
    schemas,
    seal,
    checkout,
    stripe,
    publicUrl,
    referenceCache: createReferenceCache(),
    keyTurns: createKeyTurns(),
    writeOffer: createOfferWriter(database),
    readInstalls: createInstallReaders(database, options.now ?? Date.now),
    searchTurns: createTurns(),
    findSeller: createSellers(options.callBus ?? unavailableBus),
  }
  // Inherited: a copy of this many properties costs each call some microseconds, and garbage.
  return call => Object.assign(Object.create(own), serviceDeps(call))
}
