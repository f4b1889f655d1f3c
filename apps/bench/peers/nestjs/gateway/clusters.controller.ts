import { Body, Controller, Headers, Inject, Param, Patch, Res } from '@nestjs/common'
import type { ClientProxy } from '@nestjs/microservices'
import type { FastifyReply } from 'fastify'
import { firstValueFrom } from 'rxjs'
import type { Caller } from '../../shared/caller.ts'
import { etagOf, type Settings } from '../../shared/compute-settings.ts'
import { patterns, type UpdateSettingsMessage } from '../messages.ts'
import { CurrentCaller } from './caller.decorator.ts'
import { UpdateSettingsDto } from './dto/update-settings.dto.ts'
import { SERVICE } from './service-client.ts'

@Controller('clusters')
export class ClustersController {
  constructor(@Inject(SERVICE) private readonly service: ClientProxy) {}

  @Patch(':id/compute_settings')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') cluster: string,
    @Body() body: UpdateSettingsDto,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const message: UpdateSettingsMessage = { caller, cluster, etag: etagOf(ifMatch), body }
    const settings = await firstValueFrom(this.service.send<Settings>(patterns.updateSettings, message))
    reply.header('ETag', `"${settings.etag}"`)
    return settings
  }
}
