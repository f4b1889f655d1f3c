/** Why a change of a workspace's members is refused: decided in the statement, told here. */
import type { Role } from '@svc/contract/caller'
import { type ApiError, refusal } from '@svc/contract/errors'
import { roleTooLow } from '@svc/contract/refuse-caller'

/** What the statement says of the change. */
export type Verdict = 'not_a_member' | 'admin_needed' | 'owner_needed' | 'not_found' | 'last_owner' | 'ok'

/** For a workspace that is not the caller's and for one that does not exist: the same. */
export const notAMember = (): ApiError =>
  refusal('not_a_member', { path: ['id'], message: 'The credential may not act in this workspace.' })

/**
 * The refusal that a verdict means; `path` names the field that the last owner's refusal is about.
 *
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
    case 'not_found':
      return refusal('not_found', {
        path: ['user_id'],
        message: 'There is no such member in this workspace.',
      })
    case 'last_owner':
      return refusal('last_owner', {
        path: [path],
        message: 'This is the last owner of the workspace. Make another member owner first.',
      })
    case 'ok':
      return undefined
  }
}
