import { Controller, Inject } from '@nestjs/common'
import { MessagePattern, Payload } from '@nestjs/microservices'
import { listInstalls } from '../../shared/installs.ts'
import type { Pool } from '../../shared/pool.ts'
import { POOL } from '../database.module.ts'
import { type ListMessage, patterns } from '../messages.ts'

@Controller()
export class InstallsController {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  @MessagePattern(patterns.listInstalls)
  list(@Payload() { caller, query }: ListMessage) {
    return listInstalls(this.pool, caller, query)
  }
}
