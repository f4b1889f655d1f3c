/** What the OpenAPI document says of packages, products. */
import type { Reference } from '../openapi/operation-reference.ts'

export const catalogueReference = {
  create_package: {
    group: 'Packages',
    description: 'A package without versions.',
    codes: ['key_reused', 'quota_exceeded'],
  },
  list_packages: { group: 'Packages', description: 'Newest first.' },
  get_package: { group: 'Packages', description: 'Its versions are listed separately.' },
  update_package: { group: 'Packages', description: 'The id and the versions stay the same.' },
  delete_package: {
    group: 'Packages',
    description:
      'Its versions are deleted with it. Refused while a product or an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_package_version: {
    group: 'Packages',
    description:
      'Publishes an immutable version. `input_schema` is JSON Schema 2020-12 of an object, of at most 64 KiB, 16 levels and 200 properties, without remote `$ref`; regular expressions are matched without backtracking.\n\n**Idempotency.** Publishing the same version with the same schema again returns the existing one; with another schema it is refused.',
    codes: ['already_exists', 'invalid_input_schema', 'quota_exceeded'],
  },
  list_package_versions: {
    group: 'Packages',
    description: 'Newest first, without their input schemas.',
  },
  get_package_version: { group: 'Packages', description: 'With the input schema as it was published.' },
  create_product: {
    group: 'Products',
    description: 'A product sells one package. `current_package_version_id` may be set later.',
    codes: ['key_reused', 'unknown_reference', 'version_of_other_package', 'quota_exceeded'],
  },
  list_products: { group: 'Products', description: 'Newest first.' },
  get_product: { group: 'Products', description: 'With its current package version.' },
  update_product: {
    group: 'Products',
    description:
      'Omitted fields stay the same. Later offers are pinned to the new current version; existing offers keep theirs.',
    codes: ['unknown_reference', 'version_of_other_package'],
  },
  delete_product: {
    group: 'Products',
    description: 'Refused while an offer channel or an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
} as const satisfies Record<string, Reference>
