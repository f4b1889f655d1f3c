/** What the OpenAPI document says of packages, products. */
import type { Reference } from '../openapi/operation-reference.ts'

export const catalogueReference = {
  create_package: {
    command: { name: 'packages create', examples: ["packages create --name 'Acme Sync'"] },
    page: '/catalogue/packages/new',
    group: 'Packages',
    description: 'A package without versions.',
    codes: ['key_reused', 'quota_exceeded'],
  },
  list_packages: {
    command: 'packages list',
    page: '/catalogue',
    group: 'Packages',
    description: 'Newest first.',
  },
  get_package: {
    command: 'packages get',
    page: '/catalogue/packages/:id',
    group: 'Packages',
    description: 'Its versions are listed separately.',
  },
  update_package: {
    command: 'packages update',
    page: '/catalogue/packages/:id/rename',
    group: 'Packages',
    description: 'The id and the versions stay the same.',
  },
  delete_package: {
    command: 'packages delete',
    page: '/catalogue/packages/:id/delete',
    group: 'Packages',
    description:
      'Its versions are deleted with it. Refused while a product or an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_package_version: {
    command: {
      name: 'versions publish',
      options: { version: { name: 'name' }, input_schema: { name: 'schema' } },
      examples: [
        'versions publish pkg_01h455vb4pex5vsknk084sn02q --name 1.4.0 --schema schema.json',
        'versions publish pkg_01h455vb4pex5vsknk084sn02q --name 1.4.0 --schema - < schema.json',
      ],
    },
    page: '/catalogue/packages/:id/versions/new',
    group: 'Packages',
    description:
      'Publishes an immutable version. `input_schema` is JSON Schema 2020-12 of an object, of at most 64 KiB, 16 levels and 200 properties, without remote `$ref`; regular expressions are matched without backtracking.\n\n**Idempotency.** Publishing the same version with the same schema again returns the existing one; with another schema it is refused.',
    codes: ['already_exists', 'invalid_input_schema', 'quota_exceeded'],
  },
  list_package_versions: {
    command: { name: 'versions list', columns: ['id', 'version', 'created_at'] },
    page: '/catalogue/packages/:id',
    group: 'Packages',
    description: 'Newest first, without their input schemas.',
  },
  get_package_version: {
    command: 'versions get',
    page: '/catalogue/versions/:id',
    group: 'Packages',
    description: 'With the input schema as it was published.',
  },
  create_product: {
    command: {
      name: 'products create',
      options: {
        current_package_version_id: {
          name: 'current-version',
          help: 'The version used by offers that name none (default: such offers are refused).',
        },
      },
      examples: ["products create --name 'Acme Sync' --package pkg_01h455vb4pex5vsknk084sn02q"],
    },
    page: '/catalogue/products/new',
    group: 'Products',
    description: 'A product sells one package. `current_package_version_id` may be set later.',
    codes: ['key_reused', 'unknown_reference', 'version_of_other_package', 'quota_exceeded'],
  },
  list_products: {
    command: 'products list',
    page: '/catalogue',
    group: 'Products',
    description: 'Newest first.',
  },
  get_product: {
    command: 'products get',
    page: '/catalogue/products/:id',
    group: 'Products',
    description: 'With its current package version.',
  },
  update_product: {
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
  },
  delete_product: {
    command: 'products delete',
    page: '/catalogue/products/:id/delete',
    group: 'Products',
    description: 'Refused while an offer channel or an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
} as const satisfies Record<string, Reference>
