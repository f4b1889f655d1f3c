import type { FastifyInstance } from 'fastify'
import { etagOf, type SettingsInput, updateComputeSettings } from '../../shared/compute-settings.ts'
import type { Pool } from '../../shared/pool.ts'
import { settings } from '../reply-schemas.ts'
import { settingsBody, settingsParams } from '../request-schemas.ts'

export function registerClusters(app: FastifyInstance, pool: Pool) {
  app.patch<{ Params: { id: string }; Body: SettingsInput }>(
    '/clusters/:id/compute_settings',
    { schema: { params: settingsParams, body: settingsBody, response: { 200: settings } } },
    async ({ caller, params, headers, body }, reply) => {
      const changed = await updateComputeSettings(pool, caller, params.id, etagOf(headers['if-match']), body)
      reply.header('ETag', `"${changed.etag}"`)
      return changed
    },
  )
}
