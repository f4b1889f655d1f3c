import type { Context, ServiceSchema } from 'moleculer'
import { listApiTokens } from '../../shared/api-tokens.ts'
import type { PageQuery } from '../../shared/page.ts'
import type { Pool } from '../../shared/pool.ts'
import type { Meta } from '../meta.ts'
import { refusals } from './refusals.ts'
import { pageQuery } from './rules.ts'

export const apiTokens = (pool: Pool): ServiceSchema => ({
  name: 'api_tokens',
  mixins: [refusals],
  actions: {
    list: {
      params: pageQuery,
      handler: ({ params, meta }: Context<PageQuery, Meta>) => listApiTokens(pool, meta.user, params),
    },
  },
})
