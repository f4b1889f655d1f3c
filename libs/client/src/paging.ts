/** Lists as async iteration: one request for each page, and none before it is wanted. */
import type { CallOptions, Result } from './options.ts'

/** What the body of every list has. */
interface Page {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}

/** A method of the client that answers pages: no other is accepted. */
type List = (...input: never[]) => Promise<Result<Page>>
type PageOf<L extends List> = Awaited<ReturnType<L>>['body']
type ItemOf<L extends List> = PageOf<L>['data'][number]

/**
 * Every item of a list, from `query.cursor` (unless given: from the first) to the last.
 * `query.limit` is the size of the pages that are fetched, not the number of items.
 *
 * @throws from the iteration, what the method rejects with
 */
export async function* items<L extends List>(
  list: L,
  ...input: Parameters<L>
): AsyncGenerator<ItemOf<L>, void, undefined> {
  for await (const { data } of pages(list, ...input)) yield* data as ItemOf<L>[]
}

/** The same by pages, each the body of one answer; its `next_cursor` is where to go on another time. */
export async function* pages<L extends List>(
  list: L,
  ...[input, options]: Parameters<L>
): AsyncGenerator<PageOf<L>, void, undefined> {
  // `Parameters` has made sure of the arguments; here they are those of a list that nothing is known of.
  const read = list as unknown as (input: ListInput, options?: CallOptions) => Promise<Result<PageOf<L>>>
  const { query, ...rest } = (input ?? {}) as ListInput
  let cursor = query?.cursor
  do {
    const { body } = await read({ ...rest, query: { ...query, cursor } }, options)
    yield body
    cursor = body.next_cursor ?? undefined
  } while (cursor !== undefined)
}

interface ListInput {
  readonly query?: { readonly cursor?: string | number; readonly limit?: string | number }
}
