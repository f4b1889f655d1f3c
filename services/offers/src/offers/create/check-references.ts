/** Rules 4, 5 and 8: what the body refers to must exist in this workspace and belong together. */
import { type ErrorEntry, entryOf } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'
import type { OfferReferences } from './offer-references.ts'

export function referenceProblems(
  body: OfferInput,
  { product, version, channel }: OfferReferences,
): ErrorEntry[] {
  const problems: ErrorEntry[] = []
  const unknown = (field: string, thing: string) =>
    problems.push(
      entryOf('unknown_reference', {
        path: [field],
        message: `There is no such ${thing} in this workspace.`,
      }),
    )

  if (body.product_id !== undefined && !product) unknown('product_id', 'product')
  if (body.package_version_id !== undefined) {
    if (!version) unknown('package_version_id', 'package version')
    else if (product && version.package_id !== product.package_id) {
      problems.push(entryOf('version_of_other_package', { path: ['package_version_id'] }))
    }
  } else if (product && !version) {
    problems.push(
      entryOf('no_current_version', {
        path: ['product_id'],
        message: 'The product has no current package version. Set one, or send package_version_id.',
      }),
    )
  }
  if (body.offer_channel_id !== undefined) {
    if (!channel) unknown('offer_channel_id', 'offer channel')
    else if (product && channel.product_id !== body.product_id) {
      problems.push(entryOf('channel_of_other_product', { path: ['offer_channel_id'] }))
    } else if (channel.status !== 'active' || !channel.active) {
      problems.push(entryOf('channel_inactive', { path: ['offer_channel_id'] }))
    }
  }
  return problems
}
