/** The compute settings of a cluster, as they are answered wherever they are part of an answer. */
import * as z from 'zod'
import { unixSeconds } from './text.ts'

export const computeSettings = z
  .object({
    auto_scaling: z.enum(['active', 'inactive']),
    machines: z.int().describe('Reported by the cluster; no part of the etag.'),
    max_machines: z
      .int()
      .describe('The machine upper limit. Below `machines` the cluster drains down to it.'),
    updated_at: unixSeconds.describe('When the settings changed last, in Unix seconds.'),
    etag: z.string().describe('What the next update sends in `If-Match`.'),
  })
  .meta({ id: 'ComputeSettings' })
