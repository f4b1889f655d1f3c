import type { Context, ServiceSchema } from 'moleculer'
import { listInstalls } from '../../shared/installs.ts'
import type { PageQuery } from '../../shared/page.ts'
import type { Pool } from '../../shared/pool.ts'
import type { Meta } from '../meta.ts'
import { refusals } from './refusals.ts'
import { pageQuery } from './rules.ts'

export const installs = (pool: Pool): ServiceSchema => ({
  name: 'installs',
  mixins: [refusals],
  actions: {
    list: {
      params: pageQuery,
      handler: ({ params, meta }: Context<PageQuery, Meta>) => listInstalls(pool, meta.user, params),
    },
  },
})
