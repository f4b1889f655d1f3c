import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common'
import { required } from '../shared/environment.ts'
import { openPool, type Pool } from '../shared/pool.ts'

export const POOL = Symbol('POOL')

@Global()
@Module({
  providers: [{ provide: POOL, useFactory: () => openPool(required('DATABASE_URL'), process.env.POOL) }],
  exports: [POOL],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  onApplicationShutdown() {
    return this.pool.close()
  }
}
