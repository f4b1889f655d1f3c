import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { decideDeviceGrant } from './decide-device-grant.ts'
import { enterUserCode } from './enter-user-code.ts'
import { pollDeviceGrant } from './poll-device-grant.ts'
import { putOauthClient } from './put-oauth-client.ts'
import { revokeToken } from './revoke-token.ts'
import { startDeviceGrant } from './start-device-grant.ts'

export const deviceGrantHandlers = {
  revoke_token: revokeToken,
  put_oauth_client: putOauthClient,
  start_device_grant: startDeviceGrant,
  poll_device_grant: pollDeviceGrant,
  enter_user_code: enterUserCode,
  decide_device_grant: decideDeviceGrant,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
