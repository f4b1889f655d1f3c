import type { Context, ServiceSchema } from 'moleculer'
import {
  etagOf,
  maxMachines,
  type SettingsInput,
  updateComputeSettings,
} from '../../shared/compute-settings.ts'
import type { Pool } from '../../shared/pool.ts'
import { invalid } from '../../shared/refusal.ts'
import type { Meta } from '../meta.ts'
import { refusals } from './refusals.ts'
import { integer, optional, text } from './rules.ts'

export const clusters = (pool: Pool): ServiceSchema => ({
  name: 'clusters',
  mixins: [refusals],
  actions: {
    update_settings: {
      params: {
        $$strict: true,
        id: text(1, 100),
        auto_scaling_enabled: { type: 'boolean', optional: true, nullable: false },
        max_machines: optional(integer(1, maxMachines)),
      },
      async handler({ params, meta }: Context<SettingsInput & { id: string }, Meta>) {
        const { id, ...input } = params
        if (Object.keys(input).length === 0) throw invalid([], 'There is nothing to change.')
        const settings = await updateComputeSettings(pool, meta.user, id, etagOf(meta.ifMatch), input)
        meta.$responseHeaders = { ETag: `"${settings.etag}"` }
        return settings
      },
    },
  },
})
