import type { Role } from '@svc/contract/core/caller'
import { type ApiError, refusal } from '@svc/contract/core/errors'
import { roleTooLow } from '@svc/contract/core/refuse-caller'

export type Verdict =
  | 'not_a_member'
  | 'admin_needed'
  | 'owner_needed'
  | 'step_up_needed'
  | 'factor_needed'
  | 'not_found'
  | 'last_owner'
  | 'ok'

/** The same for a foreign workspace and for one that does not exist. */
export const notAMember = (): ApiError =>
  refusal('not_a_member', { path: ['id'], message: 'The credential has no access to this workspace.' })

/**
 * @param path the field that the last owner's refusal is about
 * @returns undefined for `ok`
 */
export function refusalOf(
  verdict: Verdict,
  { role, path }: { role: Role | null; path: string },
): ApiError | undefined {
  switch (verdict) {
    case 'not_a_member':
      return notAMember()
    case 'admin_needed':
      return roleTooLow(['owner', 'admin'], role ?? 'member')
    case 'owner_needed':
      return roleTooLow(['owner'], role ?? 'member')
    case 'step_up_needed':
      return refusal('step_up_required')
    case 'factor_needed':
      return refusal('second_factor_required', {
        path: ['require_second_factor'],
        message: 'Set up a second factor of your own first, on the page /security.',
      })
    case 'not_found':
      return refusal('not_found', {
        path: ['user_id'],
        message: 'There is no such member in this workspace.',
      })
    case 'last_owner':
      return refusal('last_owner', {
        path: [path],
        message: 'This is the last owner of the workspace. Make another member an owner first.',
      })
    case 'ok':
      return undefined
  }
}
