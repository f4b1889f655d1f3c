import * as z from 'zod'
import { computeSettings } from './compute-settings.ts'
import { createdAt, idOf, nameText, pathId, unixSeconds } from '../core/text.ts'

export const named = z.strictObject({
  name: nameText(100).describe('The name of the cluster, for people; it need not be unique.'),
})
export const inPath = z.object({ id: pathId })

export const keptHours = 720

export const cluster = z
  .object({
    id: idOf('cluster', 'clus'),
    name: z.string().describe('For people; not unique.'),
    created_at: createdAt,
    compute_settings: computeSettings.describe('As they are now, with the etag for the next update.'),
    agent: z
      .object({
        has_secret: z.boolean().describe('Whether there is a secret with which it can connect.'),
        last_reported_at: unixSeconds
          .nullable()
          .describe(
            'When it last reported how many machines there are, in Unix seconds, to ten seconds; null: never.',
          ),
      })
      .describe('The program that applies the compute settings to the cluster.'),
  })
  .meta({ id: 'Cluster' })

export const machineCount = z.object({
  at: unixSeconds.describe('When the hour began, in Unix seconds.'),
  least: z.int().describe('The smallest number that was reported in the hour.'),
  most: z.int().describe('The largest one.'),
})
