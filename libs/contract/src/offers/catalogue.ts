/** The catalogue over HTTP: packages and their versions, and products. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { change, page, pageQuery, pathId, text, unixSeconds } from '../core/text.ts'

const named = { name: text(1, 200) }
const inPath = z.object({ id: pathId })
const packageId = text(1, 55)
const versionId = text(1, 55)

const package_ = z
  .object({ id: z.string(), name: z.string(), created_at: unixSeconds })
  .meta({ id: 'Package' })

const packageVersion = z
  .object({
    id: z.string(),
    package_id: z.string(),
    version: z.string().describe('The seller’s name for it, unique in the package: `1.4.0`.'),
    created_at: unixSeconds,
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
    id: z.string(),
    name: z.string(),
    package_id: z.string(),
    current_package_version_id: z
      .string()
      .nullable()
      .describe('The version used by offers that name none; null: such offers are refused.'),
    created_at: unixSeconds,
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
    body: z.strictObject(named),
    output: package_,
    errors: ['Unprocessable'],
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
    body: z.strictObject({ version: text(1, 100), input_schema: inputSchema }),
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
    body: z.strictObject({ ...named, package_id: packageId, current_package_version_id: currentVersion }),
    output: product,
    errors: ['Unprocessable'],
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
