import { type ErrorEntry, entryOf } from '@svc/contract/core/errors'

export const unknownReference = (field: string, thing: string): ErrorEntry =>
  entryOf('unknown_reference', {
    path: [field],
    message: `There is no such ${thing} in this workspace.`,
  })

/** A product's version must exist and belong to the product's package. */
export function currentVersionProblem(
  wanted: string | null,
  found: { package_id: string | null; version_package: string | null } | undefined,
): ErrorEntry[] {
  if (wanted === null) return []
  if (!found?.version_package) return [unknownReference('current_package_version_id', 'package version')]
  if (!found.package_id || found.version_package === found.package_id) return []
  return [entryOf('version_of_other_package', { path: ['current_package_version_id'] })]
}
