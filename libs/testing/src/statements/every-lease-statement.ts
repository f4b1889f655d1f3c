/** The statements of leases beyond those of gateways that answer. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { randomUUID } from 'node:crypto'
import { type Driven, caller } from '../stack/driven-stack.ts'

/** A holder that does not acknowledge, and is gone by the time that it has been waited for. */
export async function useLeases({ backoffice, gateway }: Driven) {
  const holder = randomUUID()
  await invoke(gateway, authTokens, 'hold_leases', { ...caller(), body: { holder } })
  // Nothing is found, and recalled all the same.
  const ended = { ...caller(), body: { kid: holder } }
  await invoke(backoffice, authTokens, 'remove_signing_key', ended).catch(() => {})
  await invoke(gateway, authTokens, 'hold_leases', { ...caller(), body: { holder, release: true } })
}
