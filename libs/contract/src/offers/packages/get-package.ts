import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { ofPackage, thePackage } from '../catalogue-example-bodies.ts'
import { inPath, package_ } from '../catalogue.ts'
import { absent } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read a package',
  http: { method: 'GET', path: '/packages/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: inPath,
  output: package_,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'packages get',
  page: '/catalogue/packages/:id',
  group: 'Packages',
  description: 'Its versions are listed separately.',
  examples: [
    {
      step: 360,
      summary: 'Read',
      by: 'script',
      request: ofPackage,
      answer: { body: thePackage },
    },
    {
      step: 370,
      summary: 'Id of another workspace',
      by: 'script',
      request: { params: { id: absent('pkg') } },
      refusal: refusal('not_found'),
    },
  ],
})
