import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { createPackageVersion } from './create-package-version.ts'
import { createPackage } from './create-package.ts'
import { deletePackage } from './delete-package.ts'
import { getPackageVersion } from './get-package-version.ts'
import { getPackage } from './get-package.ts'
import { listPackageVersions } from './list-package-versions.ts'
import { listPackages } from './list-packages.ts'
import { updatePackage } from './update-package.ts'

export const packagesHandlers = {
  create_package: createPackage,
  list_packages: listPackages,
  get_package: getPackage,
  update_package: updatePackage,
  delete_package: deletePackage,
  create_package_version: createPackageVersion,
  list_package_versions: listPackageVersions,
  get_package_version: getPackageVersion,
} satisfies Partial<Handlers<typeof offers, Deps>>
