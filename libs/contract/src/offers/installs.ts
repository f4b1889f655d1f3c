import * as z from 'zod'
import { createdAt, idOf, unixSeconds } from '../core/text.ts'

/** An install starts as `started`; offers does not follow it further until its owner removes it. */
export const installStates = ['started', 'removed'] as const

export const install = z
  .object({
    id: idOf('install', 'inst'),
    state: z
      .enum(installStates)
      .describe('`started` when the order completes; `removed` once its owner has reported that.'),
    workspace_id: z.string().describe('Whose install it is.'),
    seller_workspace_id: z.string().describe('Whose offer it came from.'),
    offer_id: idOf('offer', 'offer'),
    order_id: idOf('order', 'order'),
    product_id: z
      .string()
      .nullable()
      .describe('The product, `prod_…`; null: an offer of a package version alone.'),
    package_version_id: idOf('package version', 'pkgv'),
    version: z.string().describe('The seller’s name for the version: `1.4.0`.'),
    cluster_id: z
      .string()
      .nullable()
      .describe('The owner’s cluster it runs in, `clus_…`; null: none was named.'),
    field_values: z
      .record(z.string(), z.unknown())
      .describe(
        'As submitted, with the values that the seller locked. Values of `format: password` are replaced by `{"$sealed": true}`.',
      ),
    created_at: createdAt,
    removed_at: unixSeconds.nullable().describe('Unix seconds; null: it was not removed.'),
  })
  .meta({ id: 'Install' })

export const installWithInstructions = install
  .extend({
    instructions: z
      .string()
      .nullable()
      .describe(
        'What to do now, in Markdown, as the seller wrote it for this version, with the values of this install; null: none. Values of `format: password` are replaced by dots.',
      ),
  })
  .meta({ id: 'InstallWithInstructions' })
