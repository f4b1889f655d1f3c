import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { change } from '../../core/text.ts'
import { theProduct } from '../catalogue-example-bodies.ts'
import { currentVersion, inPath, named, product as productSchema } from '../catalogue.ts'
import { product, version1 } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Rename a product, or move its current package version',
  http: { method: 'PATCH', path: '/products/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:write',
  params: inPath,
  body: change({ name: named.name.optional(), current_package_version_id: currentVersion }),
  output: productSchema,
  errors: ['NotFound', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'products update',
    help: 'Rename a product, or set the version of offers that name none.',
    options: {
      current_package_version_id: {
        name: 'current-version',
        help: 'The version used by offers that name none.',
      },
    },
    examples: [
      'products update prod_01h455vb4pex5vsknk084sn02q --current-version pkgv_01h455vb4pex5vsknk084sn02q',
      'products update prod_01h455vb4pex5vsknk084sn02q --no-current-version',
    ],
  },
  page: '/catalogue/products/:id/rename',
  group: 'Products',
  description:
    'Omitted fields stay the same. Later offers are pinned to the new current version; existing offers keep theirs.',
  codes: ['unknown_reference', 'version_of_other_package'],
  examples: [
    {
      step: 480,
      summary: 'Move the current version',
      by: 'script',
      request: { params: { id: product }, body: { current_package_version_id: version1 } },
      answer: { body: theProduct },
    },
  ],
})
