import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices'
import { natsAccess } from '../../shared/environment.ts'
import { DatabaseModule } from '../database.module.ts'
import { ApiTokenGuard } from './api-token.guard.ts'
import { ApiTokensController } from './api-tokens.controller.ts'
import { ClustersController } from './clusters.controller.ts'
import { InstallsController } from './installs.controller.ts'
import { OffersController } from './offers.controller.ts'
import { SERVICE } from './service-client.ts'

@Module({
  imports: [
    DatabaseModule,
    ClientsModule.registerAsync([
      {
        name: SERVICE,
        useFactory: () => ({ transport: Transport.NATS as const, options: natsAccess() }),
      },
    ]),
  ],
  controllers: [OffersController, ApiTokensController, InstallsController, ClustersController],
  providers: [{ provide: APP_GUARD, useClass: ApiTokenGuard }],
})
export class GatewayModule implements OnApplicationBootstrap {
  constructor(@Inject(SERVICE) private readonly service: ClientProxy) {}

  async onApplicationBootstrap() {
    await this.service.connect()
  }
}
