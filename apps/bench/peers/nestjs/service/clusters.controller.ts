import { Controller, Inject } from '@nestjs/common'
import { MessagePattern, Payload } from '@nestjs/microservices'
import { updateComputeSettings } from '../../shared/compute-settings.ts'
import type { Pool } from '../../shared/pool.ts'
import { POOL } from '../database.module.ts'
import { patterns, type UpdateSettingsMessage } from '../messages.ts'

@Controller()
export class ClustersController {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  @MessagePattern(patterns.updateSettings)
  update(@Payload() { caller, cluster, etag, body }: UpdateSettingsMessage) {
    return updateComputeSettings(this.pool, caller, cluster, etag, body)
  }
}
