/** The compute settings of a cluster, as they are answered wherever they are part of an answer. */
import * as z from 'zod'
import { unixSeconds } from './text.ts'

export const computeSettings = z.object({
  auto_scaling: z.enum(['active', 'inactive']),
  machines: z.int().describe('Reported by the cluster; no part of the etag.'),
  max_machines: z.int(),
  updated_at: unixSeconds,
  etag: z.string(),
})
