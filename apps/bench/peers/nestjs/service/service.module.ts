import { Module } from '@nestjs/common'
import { createOfferBy } from '../../shared/offers/create-offer.ts'
import { DatabaseModule } from '../database.module.ts'
import { ApiTokensController } from './api-tokens.controller.ts'
import { ClustersController } from './clusters.controller.ts'
import { InstallsController } from './installs.controller.ts'
import { CREATE_OFFER, OffersController } from './offers.controller.ts'

@Module({
  imports: [DatabaseModule],
  controllers: [OffersController, ApiTokensController, InstallsController, ClustersController],
  providers: [{ provide: CREATE_OFFER, useFactory: () => createOfferBy(process.env.WRITES) }],
})
export class ServiceModule {}
