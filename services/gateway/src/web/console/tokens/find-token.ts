import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { findInList } from '../../kit/visit/read-list.ts'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'

export const findToken = ({ invoke, params }: Scene): Promise<Item<'list_api_tokens'>> =>
  findInList(params.id, query => invoke(authTokens, 'list_api_tokens', { query }))
