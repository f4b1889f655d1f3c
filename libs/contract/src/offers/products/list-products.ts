import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import { theProduct } from '../catalogue-example-bodies.ts'
import { product } from '../catalogue.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the products of the workspace',
  http: { method: 'GET', path: '/products', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  query: pageQuery,
  output: page(product),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'products list',
  page: '/catalogue',
  group: 'Products',
  description: 'Newest first.',
  examples: [
    {
      step: 460,
      summary: 'List',
      by: 'script',
      request: {},
      answer: { body: { data: [theProduct], next_cursor: null } },
    },
  ],
})
