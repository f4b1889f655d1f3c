/** What customers installed from offers. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import { anyText, createdAt, idOf, page, pageQuery, pathId, unixSeconds } from '../core/text.ts'

/**
 * An install is handed over as `started`; what happens next is outside offers, until its owner removes it.
 */
export const installStates = ['started', 'removed'] as const

const install = z
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

export const installOperations = {
  list_installs: {
    summary: 'List the installs that the workspace owns or sold',
    http: { method: 'GET', path: '/installs', status: 200 },
    access: workspaceMember,
    query: pageQuery.extend({
      relation: z
        .enum(['owned', 'sold'])
        .default('owned')
        .describe('Which side of the install the workspace is on.'),
      offer_id: pathId.optional(),
      product_id: pathId.optional(),
      package_version_id: pathId.optional(),
      cluster_id: pathId.optional(),
      state: z.enum(installStates).optional(),
    }),
    output: page(install).describe(
      'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
    ),
    errors: [],
    safe: true,
  },
  get_install: {
    summary: 'Read an install that the workspace owns or sold',
    http: { method: 'GET', path: '/installs/{id}', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    output: install,
    errors: ['NotFound'],
    safe: true,
  },
  create_install_credential: {
    summary: 'Create the credential with which an install of the workspace reads its own values',
    http: { method: 'POST', path: '/installs/{id}/credential', status: 201 },
    access: workspaceAdmin,
    params: z.object({ id: pathId }),
    output: z.object({
      credential: z.string().describe('Shown only once: only a hash of it is stored.').register(secrets),
    }),
    errors: ['NotFound'],
    event: 'installs.credential_created',
  },
  read_install_values: {
    summary: 'Read the values of an install, secret ones among them, as the install itself',
    http: { method: 'GET', path: '/installs/{id}/field_values', status: 200 },
    access: { credentials: [], anonymous: true, workspace: false, roles: [] },
    params: z.object({ id: pathId }),
    headers: z.object({
      'svc-install-credential': anyText(1, 200).describe('The credential of the install.'),
    }),
    credentialHeaders: ['svc-install-credential'],
    output: z.object({
      field_values: z
        .record(z.string(), z.unknown())
        .describe('By property of the input schema, with secret values in plain text.')
        .register(secrets),
    }),
    errors: [],
    event: 'installs.values_read',
    safe: true,
  },
  remove_install: {
    summary: 'Report that an install of the workspace was removed, so that its cluster can be deleted',
    http: { method: 'POST', path: '/installs/{id}/remove', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    output: install,
    errors: ['NotFound'],
    event: 'installs.removed',
    safe: true,
  },
} as const satisfies Record<string, Operation>
