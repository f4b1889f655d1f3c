/** One item by its id, where an operation lists them and none reads one alone. */
import { refusal } from '@svc/contract/core/errors'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

/**
 * Reads pages of a hundred until it is there.
 *
 * @throws ApiError `NotFound`
 */
export async function findInList<Item extends { readonly id: string }>(
  id: string | undefined,
  list: (query: Record<string, string>) => Promise<Page<Item>>,
): Promise<Item> {
  let cursor: string | null = null
  do {
    const page: Page<Item> = await list({ limit: '100', ...(cursor && { cursor }) })
    const found = page.data.find(one => one.id === id)
    if (found) return found
    cursor = page.next_cursor
  } while (cursor)
  throw refusal('not_found')
}
