import * as z from 'zod'
import { createdAt, idOf, linesText, nameText, pathId, text } from '../core/text.ts'

export const named = { name: nameText(200).describe('Customers read it; it need not be unique.') }
export const inPath = z.object({ id: pathId })
const versionId = text(1, 55)

export const package_ = z
  .object({
    id: idOf('package', 'pkg'),
    name: z.string().describe('Customers read it where an offer has no product.'),
    created_at: createdAt,
  })
  .meta({ id: 'Package' })

export const versionName = 'Your name for the version, unique in the package: `1.4.0`.'

export const packageVersion = z
  .object({
    id: idOf('package version', 'pkgv'),
    package_id: idOf('package', 'pkg'),
    version: z.string().describe(versionName),
    created_at: createdAt,
  })
  .meta({ id: 'PackageVersion' })
export const inputSchema = z
  .record(z.string(), z.unknown())
  .describe('JSON Schema 2020-12 of an object; its properties are what a customer fills in.')
export const instructions = linesText(1, 20_000)
  .optional()
  .describe(
    'What a customer does after ordering, in Markdown. `{{ field.company }}` stands for a value of the order, nested ones with dots, `{{ install.id }}` for the install’s id, and `{{ credential }}` for how to create its credential.',
  )
export const packageVersionWithSchema = packageVersion
  .extend({
    input_schema: inputSchema,
    instructions: z
      .string()
      .nullable()
      .describe('What a customer does after ordering, in Markdown with placeholders; null: none.'),
  })
  .meta({ id: 'PackageVersionWithSchema' })

export const product = z
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
export const currentVersion = versionId
  .nullable()
  .optional()
  .describe('The version used by offers that name none; null: such offers are refused.')
