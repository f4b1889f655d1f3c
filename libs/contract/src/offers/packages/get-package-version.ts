import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { inputSchema, instructionsText, theVersion } from '../catalogue-example-bodies.ts'
import { inPath, packageVersionWithSchema } from '../catalogue.ts'
import { version1 } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read a package version with its input schema and instructions',
  http: { method: 'GET', path: '/package_versions/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: inPath,
  output: packageVersionWithSchema,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'versions get',
  page: '/catalogue/versions/:id',
  group: 'Packages',
  description:
    'With the input schema and the instructions as they were published: placeholders are filled in for each install.',
  examples: [
    {
      step: 430,
      summary: 'A version with its input schema',
      by: 'script',
      request: { params: { id: version1 } },
      answer: { body: { ...theVersion, input_schema: inputSchema, instructions: instructionsText } },
    },
  ],
})
