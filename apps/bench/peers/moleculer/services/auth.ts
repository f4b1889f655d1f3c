/** Whose API token it is; called within its own node alone. */
import type { Context, ServiceSchema } from 'moleculer'
import { findCaller } from '../../shared/caller.ts'
import { required } from '../../shared/environment.ts'
import { openPool } from '../../shared/pool.ts'

const pool = openPool(required('DATABASE_URL'), process.env.POOL)

export const auth: ServiceSchema = {
  name: 'auth',
  actions: {
    resolve: {
      visibility: 'protected',
      handler: ({ params }: Context<{ authorization?: string }>) => findCaller(pool, params.authorization),
    },
  },
  stopped: () => pool.close(),
}
