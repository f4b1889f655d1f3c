/** The catalogue over HTTP: packages and their versions, and products. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import type { Operation } from '../core/operation.ts'
import { change, createdAt, idOf, nameText, page, pageQuery, pathId, text } from '../core/text.ts'

const named = { name: nameText(200).describe('Customers read it; it need not be unique.') }
const inPath = z.object({ id: pathId })
const versionId = text(1, 55)

const package_ = z
  .object({
    id: idOf('package', 'pkg'),
    name: z.string().describe('Customers read it where an offer has no product.'),
    created_at: createdAt,
  })
  .meta({ id: 'Package' })

const versionName = 'Your name for the version, unique in the package: `1.4.0`.'

const packageVersion = z
  .object({
    id: idOf('package version', 'pkgv'),
    package_id: idOf('package', 'pkg'),
    version: z.string().describe(versionName),
    created_at: createdAt,
  })
  .meta({ id: 'PackageVersion' })
const inputSchema = z
  .record(z.string(), z.unknown())
  .describe('JSON Schema 2020-12 of an object; its properties are what a customer fills in.')
const packageVersionWithSchema = packageVersion
  .extend({ input_schema: inputSchema })
  .meta({ id: 'PackageVersionWithSchema' })

const product = z
  .object({
    id: idOf('product', 'prod'),
    name: z.string().describe('Customers read it; not unique.'),
    package_id: idOf('package that it sells', 'pkg'),
    current_package_version_id: z
      .string()
      .nullable()
      .describe('The version used by offers that name none; null: such offers are refused.'),
    created_at: createdAt,
  })
  .meta({ id: 'Product' })
const currentVersion = versionId
  .nullable()
  .optional()
  .describe('The version used by offers that name none; null: such offers are refused.')

const packageOperations = {
  create_package: {
    summary: 'Create a package',
    http: { method: 'POST', path: '/packages', status: 201 },
    access: workspaceMember,
    headers: idempotencyHeaders,
    body: z.strictObject(named),
    output: package_,
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['Conflict', 'Unprocessable'],
  },
  list_packages: {
    summary: 'List the packages of the workspace',
    http: { method: 'GET', path: '/packages', status: 200 },
    access: workspaceMember,
    query: pageQuery,
    output: page(package_),
    errors: [],
    safe: true,
  },
  get_package: {
    summary: 'Read a package',
    http: { method: 'GET', path: '/packages/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: package_,
    errors: ['NotFound'],
    safe: true,
  },
  update_package: {
    summary: 'Rename a package',
    http: { method: 'PATCH', path: '/packages/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    body: z.strictObject(named),
    output: package_,
    errors: ['NotFound'],
  },
  delete_package: {
    summary: 'Delete a package with its versions, unless a product or an offer refers to it',
    http: { method: 'DELETE', path: '/packages/{id}', status: 204 },
    access: workspaceAdmin,
    params: inPath,
    errors: ['NotFound', 'Conflict'],
  },
  create_package_version: {
    summary: 'Publish an immutable package version; publishing it again returns the existing one',
    http: { method: 'POST', path: '/packages/{id}/versions', status: 201 },
    access: workspaceMember,
    params: inPath,
    body: z.strictObject({ version: nameText(100).describe(versionName), input_schema: inputSchema }),
    output: packageVersionWithSchema,
    errors: ['NotFound', 'Conflict', 'Unprocessable'],
  },
  list_package_versions: {
    summary: 'List the versions of a package',
    http: { method: 'GET', path: '/packages/{id}/versions', status: 200 },
    access: workspaceMember,
    params: inPath,
    query: pageQuery,
    output: page(packageVersion),
    errors: ['NotFound'],
    safe: true,
  },
  get_package_version: {
    summary: 'Read a package version with its input schema',
    http: { method: 'GET', path: '/package_versions/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: packageVersionWithSchema,
    errors: ['NotFound'],
    safe: true,
  },
} as const satisfies Record<string, Operation>

const productOperations = {
  create_product: {
    summary: 'Create a product of a package',
    http: { method: 'POST', path: '/products', status: 201 },
    access: workspaceMember,
    headers: idempotencyHeaders,
    body: z.strictObject({
      ...named,
      package_id: text(1, 55).describe('The package that it sells. It cannot be changed later.'),
      current_package_version_id: currentVersion,
    }),
    output: product,
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['Conflict', 'Unprocessable'],
  },
  list_products: {
    summary: 'List the products of the workspace',
    http: { method: 'GET', path: '/products', status: 200 },
    access: workspaceMember,
    query: pageQuery,
    output: page(product),
    errors: [],
    safe: true,
  },
  get_product: {
    summary: 'Read a product',
    http: { method: 'GET', path: '/products/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: product,
    errors: ['NotFound'],
    safe: true,
  },
  update_product: {
    summary: 'Rename a product, or move its current package version',
    http: { method: 'PATCH', path: '/products/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    body: change({ name: named.name.optional(), current_package_version_id: currentVersion }),
    output: product,
    errors: ['NotFound', 'Unprocessable'],
  },
  delete_product: {
    summary: 'Delete a product, unless an offer channel or an offer refers to it',
    http: { method: 'DELETE', path: '/products/{id}', status: 204 },
    access: workspaceAdmin,
    params: inPath,
    errors: ['NotFound', 'Conflict'],
  },
} as const satisfies Record<string, Operation>

export const catalogueOperations = { ...packageOperations, ...productOperations }
