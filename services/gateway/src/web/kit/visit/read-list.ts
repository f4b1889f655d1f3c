import { refusal } from '@svc/contract/core/errors'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

type List<Item> = (query: Record<string, string>) => Promise<Page<Item>>

async function* pagesOf<Item>(list: List<Item>): AsyncGenerator<readonly Item[]> {
  let cursor: string | null = null
  do {
    const page: Page<Item> = await list({ limit: '100', ...(cursor && { cursor }) })
    yield page.data
    cursor = page.next_cursor
  } while (cursor)
}

/** Every item, for lists that a quota bounds. One call per hundred. */
export async function readList<Item>(list: List<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const items of pagesOf(list)) all.push(...items)
  return all
}

/** A page of the list, or only the item whose `id` is in the URL. */
export async function readPage<Item extends { readonly id: string }>(
  { query }: { readonly query: URLSearchParams },
  list: List<Item>,
  asked: Record<string, string>,
): Promise<Page<Item>> {
  const id = query.get('id')
  return id ? { data: [await findInList(id, list)], next_cursor: null } : list(asked)
}

/**
 * One item by its id, for objects without an operation that reads one.
 *
 * @throws ApiError `NotFound`
 */
export async function findInList<Item extends { readonly id: string }>(
  id: string | undefined,
  list: List<Item>,
): Promise<Item> {
  for await (const items of pagesOf(list)) {
    const found = items.find(one => one.id === id)
    if (found) return found
  }
  throw refusal('not_found')
}
