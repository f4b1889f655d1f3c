/** The service behind the gateway: owns the data. */
import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { type MicroserviceOptions, Transport } from '@nestjs/microservices'
import { natsAccess, sayReady } from '../../shared/environment.ts'
import { RefusalFilter } from './refusal.filter.ts'
import { ServiceModule } from './service.module.ts'

const app = await NestFactory.createMicroservice<MicroserviceOptions>(ServiceModule, {
  transport: Transport.NATS,
  options: { ...natsAccess(), queue: 'service' },
  logger: ['error', 'warn'],
})
app.useGlobalFilters(new RefusalFilter())
app.enableShutdownHooks()
await app.listen()
sayReady()
