import { Controller, Get, Inject, Query } from '@nestjs/common'
import type { ClientProxy } from '@nestjs/microservices'
import type { Caller } from '../../shared/caller.ts'
import { type ListMessage, patterns } from '../messages.ts'
import { CurrentCaller } from './caller.decorator.ts'
import { PageQueryDto } from './dto/page-query.dto.ts'
import { SERVICE } from './service-client.ts'

@Controller('installs')
export class InstallsController {
  constructor(@Inject(SERVICE) private readonly service: ClientProxy) {}

  @Get()
  list(@CurrentCaller() caller: Caller, @Query() query: PageQueryDto) {
    const message: ListMessage = { caller, query }
    return this.service.send(patterns.listInstalls, message)
  }
}
