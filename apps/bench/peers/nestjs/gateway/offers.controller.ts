import { Body, Controller, Headers, HttpCode, Inject, Post, Res } from '@nestjs/common'
import type { ClientProxy } from '@nestjs/microservices'
import type { FastifyReply } from 'fastify'
import { firstValueFrom } from 'rxjs'
import type { Caller } from '../../shared/caller.ts'
import { idempotencyKeyOf } from '../../shared/offers/key.ts'
import type { CreatedOffer } from '../../shared/offers/offer-input.ts'
import { type CreateOfferMessage, patterns } from '../messages.ts'
import { CurrentCaller } from './caller.decorator.ts'
import { CreateOfferDto } from './dto/create-offer.dto.ts'
import { SERVICE } from './service-client.ts'

@Controller('offers')
export class OffersController {
  constructor(@Inject(SERVICE) private readonly service: ClientProxy) {}

  @Post()
  @HttpCode(201)
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateOfferDto,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const message: CreateOfferMessage = { caller, body, key: idempotencyKeyOf(key) }
    const { id, short_hash, replayed } = await firstValueFrom(
      this.service.send<CreatedOffer>(patterns.createOffer, message),
    )
    if (replayed) reply.header('Idempotent-Replayed', 'true')
    return { id, short_hash }
  }
}
