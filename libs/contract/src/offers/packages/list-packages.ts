import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import { thePackage } from '../catalogue-example-bodies.ts'
import { package_ } from '../catalogue.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the packages of the workspace',
  http: { method: 'GET', path: '/packages', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  query: pageQuery,
  output: page(package_),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'packages list',
  page: '/catalogue',
  group: 'Packages',
  description: 'Newest first.',
  examples: [
    {
      step: 350,
      summary: 'List',
      by: 'script',
      request: {},
      answer: { body: { data: [thePackage], next_cursor: null } },
    },
  ],
})
