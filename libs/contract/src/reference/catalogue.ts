/** Packages, products and offer channels. */
import type { Reference } from './reference.ts'

export const catalogueReference = {
  create_package: {
    group: 'Packages',
    description: 'A package without versions.',
    codes: ['quota_exceeded'],
  },
  list_packages: { group: 'Packages', description: 'Newest first.' },
  get_package: { group: 'Packages', description: 'Its versions are a list of their own.' },
  update_package: { group: 'Packages', description: 'The id and the versions stay.' },
  delete_package: {
    group: 'Packages',
    description:
      'Its versions go with it. Refused while a product or an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_package_version: {
    group: 'Packages',
    description:
      'Publishes an immutable version. `input_schema` is JSON Schema 2020-12 of an object, of at most 64 KiB, 16 levels and 200 properties, without remote `$ref`; regular expressions are matched without backtracking.\n\n**Idempotency.** The same version with the same schema again answers what is there; with another schema it is refused.',
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
    codes: ['unknown_reference', 'version_of_other_package', 'quota_exceeded'],
  },
  list_products: { group: 'Products', description: 'Newest first.' },
  get_product: { group: 'Products', description: 'With its current package version.' },
  update_product: {
    group: 'Products',
    description:
      'What is left out stays. A new current version is what later offers are pinned to; offers that exist keep theirs.',
    codes: ['unknown_reference', 'version_of_other_package'],
  },
  delete_product: {
    group: 'Products',
    description: 'Refused while an offer channel or an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_offer_channel: {
    group: 'Offer channels',
    description: 'A channel has no policy to begin with, and without an active one it makes no offers.',
    codes: ['unknown_reference', 'quota_exceeded'],
  },
  list_offer_channels: { group: 'Offer channels', description: 'Newest first.' },
  get_offer_channel: { group: 'Offer channels', description: 'With the number of its active policy.' },
  update_offer_channel: {
    group: 'Offer channels',
    description: 'What is left out stays. An inactive channel makes no offers; those that exist stay good.',
  },
  delete_offer_channel: {
    group: 'Offer channels',
    description: 'Its policies go with it. Refused while an offer refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_channel_policy: {
    group: 'Offer channels',
    description:
      'Policies are numbered from 1 and never change. A range of prices has a `default_price` within it, for offers that request none; `default_commercial_mode` is for those that name none. So an active channel takes `product_id` and `offer_channel_id` alone. With `activate` new offers get it from now on; offers that exist keep the terms that they were made with.',
    codes: ['quota_exceeded'],
  },
  list_channel_policies: { group: 'Offer channels', description: 'Newest first.' },
  activate_channel_policy: {
    group: 'Offer channels',
    description: 'Any policy of the channel, also an earlier one. A repetition changes nothing.',
  },
} as const satisfies Record<string, Reference>
