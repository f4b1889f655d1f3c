import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Call } from '@svc/contract/core/operation'
import type { CallBus } from './call.ts'
import { invoke } from './invoke.ts'

/**
 * Asks auth-tokens, on behalf of the call that `caller`, another service, handles.
 *
 * @returns null where there is no such workspace
 */
export async function workspaceName(
  callBus: CallBus,
  { caller, workspace, call }: { caller: string; workspace: string; call: Call },
): Promise<string | null> {
  const { name } = await invoke(callBus, authTokens, 'find_workspace', {
    caller: { kind: 'internal', id: caller, workspace },
    deadline: call.deadline,
    requestId: call.request_id,
  })
  return name
}
