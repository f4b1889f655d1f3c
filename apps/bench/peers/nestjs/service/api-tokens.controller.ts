import { Controller, Inject } from '@nestjs/common'
import { MessagePattern, Payload } from '@nestjs/microservices'
import { listApiTokens } from '../../shared/api-tokens.ts'
import type { Pool } from '../../shared/pool.ts'
import { POOL } from '../database.module.ts'
import { type ListMessage, patterns } from '../messages.ts'

@Controller()
export class ApiTokensController {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  @MessagePattern(patterns.listApiTokens)
  list(@Payload() { caller, query }: ListMessage) {
    return listApiTokens(this.pool, caller, query)
  }
}
