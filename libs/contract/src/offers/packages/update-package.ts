import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { ofPackage, thePackage } from '../catalogue-example-bodies.ts'
import { inPath, named, package_ } from '../catalogue.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Rename a package',
  http: { method: 'PATCH', path: '/packages/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:write',
  params: inPath,
  body: z.strictObject(named),
  output: package_,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'packages update',
  page: '/catalogue/packages/:id/rename',
  group: 'Packages',
  description: 'The id and the versions stay the same.',
  examples: [
    {
      step: 380,
      summary: 'Rename',
      by: 'script',
      request: { ...ofPackage, body: { name: 'Analytics' } },
      answer: { body: thePackage },
    },
  ],
})
