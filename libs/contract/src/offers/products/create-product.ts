import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { text } from '../../core/text.ts'
import { theProduct } from '../catalogue-example-bodies.ts'
import { currentVersion, named, product } from '../catalogue.ts'
import { absent, analytics, at, spare, version1 } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create a product of a package',
  http: { method: 'POST', path: '/products', status: 201 },
  access: workspaceMember,
  permission: 'catalogue:write',
  headers: idempotencyHeaders,
  body: z.strictObject({
    ...named,
    package_id: text(1, 55).describe('The package that it sells. It cannot be changed later.'),
    current_package_version_id: currentVersion,
  }),
  output: product,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'products create',
    options: {
      current_package_version_id: {
        name: 'current-version',
        help: 'The version used by offers that name none (default: such offers are refused).',
      },
    },
    examples: ["products create --name 'Acme Sync' --package pkg_01h455vb4pex5vsknk084sn02q"],
  },
  page: '/catalogue/products/new',
  group: 'Products',
  description: 'A product sells one package. `current_package_version_id` may be set later.',
  codes: ['key_reused', 'unknown_reference', 'version_of_other_package', 'quota_exceeded'],
  examples: [
    {
      step: 440,
      summary: 'A product with its current version',
      by: 'script',
      request: {
        body: { name: 'Acme Analytics', package_id: analytics, current_package_version_id: version1 },
      },
      answer: { body: theProduct },
    },
    {
      step: 450,
      summary: 'The package belongs to another workspace',
      by: 'script',
      request: { body: { name: 'Acme Analytics', package_id: absent('pkg') } },
      refusal: refusal('unknown_reference', {
        path: ['package_id'],
        message: 'There is no such package in this workspace.',
      }),
    },
    {
      step: 1450,
      summary: 'The draft’s product',
      by: 'script',
      aside: true,
      request: { body: { name: 'Draft', package_id: spare('pkg') } },
      answer: {
        body: {
          id: spare('prod'),
          name: 'Draft',
          package_id: spare('pkg'),
          current_package_version_id: null,
          created_at: at(7000),
        },
      },
    },
  ],
})
