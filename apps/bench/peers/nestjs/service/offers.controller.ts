import { Controller, Inject } from '@nestjs/common'
import { MessagePattern, Payload } from '@nestjs/microservices'
import type { CreateOffer } from '../../shared/offers/create-offer.ts'
import type { Pool } from '../../shared/pool.ts'
import { POOL } from '../database.module.ts'
import { type CreateOfferMessage, patterns } from '../messages.ts'

export const CREATE_OFFER = Symbol('CREATE_OFFER')

@Controller()
export class OffersController {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CREATE_OFFER) private readonly createOffer: CreateOffer,
  ) {}

  @MessagePattern(patterns.createOffer)
  create(@Payload() { caller, body, key }: CreateOfferMessage) {
    return this.createOffer(this.pool, caller, body, key)
  }
}
