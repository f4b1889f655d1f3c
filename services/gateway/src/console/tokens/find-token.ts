/** A token by its id: of the list, since no operation reads one alone. */
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'

/** @throws ApiError `NotFound` */
export async function findToken({ invoke, params }: Scene): Promise<Item<'list_api_tokens'>> {
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '100', ...(cursor && { cursor }) }
    const page: { data: Item<'list_api_tokens'>[]; next_cursor: string | null } = await invoke(
      authTokens,
      'list_api_tokens',
      { query },
    )
    const found = page.data.find(({ id }) => id === params.id)
    if (found) return found
    cursor = page.next_cursor
  } while (cursor)
  throw refusal('not_found')
}
