import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { theProduct } from '../catalogue-example-bodies.ts'
import { inPath, product as productSchema } from '../catalogue.ts'
import { product } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read a product',
  http: { method: 'GET', path: '/products/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: inPath,
  output: productSchema,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'products get',
  page: '/catalogue/products/:id',
  group: 'Products',
  description: 'With its current package version.',
  examples: [
    {
      step: 470,
      summary: 'Read',
      by: 'script',
      request: { params: { id: product } },
      answer: { body: theProduct },
    },
  ],
})
