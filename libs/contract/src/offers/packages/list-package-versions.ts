import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import { ofPackage, theVersion } from '../catalogue-example-bodies.ts'
import { inPath, packageVersion } from '../catalogue.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the versions of a package',
  http: { method: 'GET', path: '/packages/{id}/versions', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: inPath,
  query: pageQuery,
  output: page(packageVersion),
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'versions list', columns: ['id', 'version', 'created_at'] },
  page: '/catalogue/packages/:id',
  group: 'Packages',
  description: 'Newest first, without their input schemas.',
  examples: [
    {
      step: 420,
      summary: 'List',
      by: 'script',
      request: ofPackage,
      answer: { body: { data: [theVersion], next_cursor: null } },
    },
  ],
})
