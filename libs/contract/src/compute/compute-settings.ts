import * as z from 'zod'
import { unixSeconds } from '../core/text.ts'

export const computeSettings = z
  .object({
    auto_scaling: z
      .enum(['active', 'inactive'])
      .describe('`active`: the number of machines follows the load, up to `max_machines`.'),
    machines: z
      .int()
      .describe('How many machines there are now, as the cluster reports it; not part of the etag.'),
    max_machines: z
      .int()
      .describe('The upper limit of machines. If it is below `machines`, the cluster drains down to it.'),
    updated_at: unixSeconds.describe('When the settings last changed, in Unix seconds.'),
    etag: z.string().describe('To be sent in `If-Match` with the next update.'),
  })
  .meta({ id: 'ComputeSettings' })
