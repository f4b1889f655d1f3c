import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'

/** @throws ApiError `NotFound` for a token of another workspace */
export const findToken = ({ invoke, params: { id = '' } }: Scene): Promise<Answer<'get_api_token'>> =>
  invoke(authTokens, 'get_api_token', { params: { id } })
