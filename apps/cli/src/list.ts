import { pages, type Result } from '@svc/client'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { parseInteger } from './parse-values.ts'
import { type Column, listText } from './terminal/table.ts'

export interface PageOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

type List<T> = (
  input: { query: Record<string, string | number | undefined> },
  options: { signal?: AbortSignal },
) => Promise<Result<Page<T>>>

export const withPages = (command: Command): Command =>
  command
    .option('--limit <n>', 'items per page, 1 to 100', parseInteger)
    .option('--cursor <cursor>', 'continue after an earlier page')
    .option('--all', 'all pages; with --json, one response after another')

/** People see how to continue; programs find `next_cursor` in the body. */
export async function printList<T>(
  cli: Cli,
  list: List<T>,
  { limit, cursor, all = false }: PageOptions,
  {
    things,
    query = {},
    columns,
    more,
  }: {
    things: string
    query?: Record<string, string | undefined>
    columns: readonly Column<T>[] | Promise<readonly Column<T>[]>
    /** What `--json` shows of an item besides the API's fields. */
    more?: Promise<(item: T) => object>
  },
): Promise<void> {
  const shown = Promise.resolve(columns)
  // If both fail, the failure of the list is reported.
  shown.catch(() => {})
  const found: T[] = []
  const label = () => (found.length > 0 ? `reading, ${found.length} so far` : 'reading')
  let next = cursor ?? null
  do {
    const input = { query: { ...query, limit, cursor: next ?? undefined } }
    const { body }: Result<Page<T>> = await cli.call(label(), options => list(input, options))
    if (cli.options.json) cli.print(more ? await withMore(body, more) : body, () => '')
    found.push(...body.data)
    next = body.next_cursor
  } while (all && next)
  if (cli.options.json) return
  cli.stdout.write(listText(cli.terminal, await shown, found, things))
  if (next) cli.note(`There are more: use --cursor ${next} or --all.`)
}

const withMore = async <T>(page: Page<T>, more: Promise<(item: T) => object>) => {
  const of = await more
  return { ...page, data: page.data.map(item => ({ ...item, ...of(item) })) }
}

export async function everyItem<T>(cli: Cli, list: List<T>): Promise<T[]> {
  const found: T[] = []
  const read: List<T> = (input, options) => cli.call('reading', call => list(input, { ...options, ...call }))
  for await (const { data } of pages(read, { query: { limit: 100 } }, {})) found.push(...data)
  return found
}
