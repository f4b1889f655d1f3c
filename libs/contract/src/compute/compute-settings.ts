/** The compute settings of a cluster, as they are answered wherever they are part of an answer. */
import * as z from 'zod'
import { unixSeconds } from '../core/text.ts'

export const computeSettings = z
  .object({
    auto_scaling: z.enum(['active', 'inactive']),
    machines: z.int().describe('Reported by the cluster; not part of the etag.'),
    max_machines: z
      .int()
      .describe('The upper limit of machines. If it is below `machines`, the cluster drains down to it.'),
    updated_at: unixSeconds.describe('When the settings last changed, in Unix seconds.'),
    etag: z.string().describe('To be sent in `If-Match` with the next update.'),
  })
  .meta({ id: 'ComputeSettings' })
