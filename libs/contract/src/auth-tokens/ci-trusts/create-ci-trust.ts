import { narrowedTo } from '../api-tokens.ts'
import { ciTrust, pinnedClaims } from '../ci-trusts.ts'
import { shopTrust } from '../ci-trusts-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { nameText, text } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Trust runs of a CI job',
  http: { method: 'POST', path: '/ci_trusts', status: 201 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  headers: idempotencyHeaders,
  body: z.strictObject({
    name: nameText(100).describe('A label of your choice.'),
    issuer: text(1, 500).describe(
      'The `iss` of the runs’ ID tokens, such as `https://token.actions.githubusercontent.com` or `https://gitlab.com`.',
    ),
    claims: pinnedClaims.describe('One to ten claims, each with the exact text that it must have.'),
    permissions: narrowedTo.permissions,
    minutes: z.int().min(5).max(60).default(15).describe('How long each of its tokens lives.'),
  }),
  output: ciTrust,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'Unprocessable'],
  stepUp: true,
  event: 'ci_trusts.created',
  narrows: false,
} as const satisfies Operation

const { name, issuer, claims } = shopTrust

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'ci-trusts create',
    help: 'Trust runs of a CI job; they get short-lived tokens without a secret.',
    options: { permissions: { help: 'Permissions, or one of the presets read and ci.' } },
    examples: [
      'ci-trusts create --name release --issuer https://gitlab.com --claims claims.json --permissions ci',
    ],
  },
  page: '/tokens/ci/new',
  group: 'CI trusts',
  description:
    'A run whose ID token has all of `claims` gets an API token with these permissions (guide “CI”). GitHub Actions must pin `repository_id`, `repository_owner_id`, and `workflow_ref`, or `job_workflow_ref` with `ref` or `environment`; GitLab `project_id`, `namespace_id`, `ci_config_ref_uri`, and `ref_protected` (`true`) or `environment`. Less is 422: `metadata.missing` names what to add.',
  codes: ['key_reused', 'unknown_reference', 'claims_too_wide', 'permission_missing', 'quota_exceeded'],
  examples: [
    {
      step: 331,
      summary: 'Runs of one workflow of a repository, on one branch',
      by: 'owner',
      request: { body: { name, issuer, claims, permissions: 'ci' } },
      answer: { body: shopTrust },
    },
    {
      step: 332,
      name: 'wide',
      summary: 'Every workflow of a repository is too much',
      by: 'owner',
      request: {
        body: {
          name,
          issuer,
          claims: { repository_id: claims.repository_id, repository_owner_id: claims.repository_owner_id },
          permissions: 'ci',
        },
      },
      refusal: refusal('claims_too_wide', {
        path: ['claims'],
        message: 'claims must also pin workflow_ref.',
        metadata: { missing: 'workflow_ref' },
      }),
    },
  ],
})
