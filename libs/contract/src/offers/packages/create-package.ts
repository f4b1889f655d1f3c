import { workspaceMember } from '../../core/access.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { thePackage } from '../catalogue-example-bodies.ts'
import { named, package_ } from '../catalogue.ts'
import { at, spare } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create a package',
  http: { method: 'POST', path: '/packages', status: 201 },
  access: workspaceMember,
  permission: 'catalogue:write',
  headers: idempotencyHeaders,
  body: z.strictObject(named),
  output: package_,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'packages create', examples: ["packages create --name 'Acme Sync'"] },
  page: '/catalogue/packages/new',
  group: 'Packages',
  description: 'A package without versions.',
  codes: ['key_reused', 'quota_exceeded'],
  examples: [
    {
      step: 340,
      summary: 'A package',
      by: 'script',
      request: { body: { name: 'Analytics' } },
      answer: { body: thePackage },
    },
    {
      step: 1440,
      summary: 'A draft package',
      by: 'script',
      aside: true,
      request: { body: { name: 'Draft' } },
      answer: { body: { id: spare('pkg'), name: 'Draft', created_at: at(7000) } },
    },
  ],
})
