import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Call } from '@svc/contract/core/operation'
import type { CallBus } from './call.ts'
import { invoke } from './invoke.ts'

/**
 * Asks auth-tokens on behalf of the call that `caller`, another service, handles.
 *
 * @returns null if the workspace does not exist
 */
export const workspaceName = async (callBus: CallBus, asked: AskedWorkspace): Promise<string | null> =>
  (await workspaceProfile(callBus, asked)).name

export const workspaceProfile = (
  callBus: CallBus,
  { caller, workspace, call }: AskedWorkspace,
): Promise<WorkspaceProfile> =>
  invoke(callBus, authTokens, 'find_workspace', {
    caller: { kind: 'internal', id: caller, workspace },
    deadline: call.deadline,
    requestId: call.request_id,
  })

interface AskedWorkspace {
  readonly caller: string
  readonly workspace: string
  readonly call: Call
}

/** `name` is null if the workspace does not exist. */
export interface WorkspaceProfile {
  readonly name: string | null
  readonly support_email: string | null
}
