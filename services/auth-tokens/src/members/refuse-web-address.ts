import { refusal } from '@svc/contract/core/errors'
import { hasWebAddress } from '@svc/runtime/web-address'

/**
 * Refuses a name that reads as a link in a mail.
 *
 * @throws ApiError `Validation` at `field`
 */
export function refuseWebAddress(field: 'name' | 'workspace_name', name: string): void {
  if (!hasWebAddress(name)) return
  throw refusal('invalid_body', { path: [field], message: `${field} must not contain a web address.` })
}
