import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createInstallCredential } from './create-install-credential.ts'
import { getInstall } from './get-install.ts'
import { listInstalls } from './list-installs.ts'
import { readInstallValues } from './read-install-values.ts'
import { removeInstall } from './remove-install.ts'

export const installsHandlers = {
  list_installs: listInstalls,
  get_install: getInstall,
  create_install_credential: createInstallCredential,
  read_install_values: readInstallValues,
  remove_install: removeInstall,
} satisfies Partial<Handlers<typeof offers, Deps>>
