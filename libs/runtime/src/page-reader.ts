import { type Asked, coalesceStatements } from './coalesce-statements.ts'
import type { Database, Sql } from './database.ts'
import { type Fragment, fragment } from './sql-fragment.ts'

/** Selects a page of a workspace's list: `limit` rows with ids below `after`, newest first. */
export interface PageWanted extends Asked {
  readonly workspace: string
  readonly after: string
  readonly limit: number
}

export type ReadPage<Row> = (wanted: PageWanted) => Promise<Row[]>

/** The parameters of the pages, one array each, in the order of the ordinals 1, 2, 3 … */
export interface PagesWanted {
  readonly workspaces: string[]
  readonly afters: string[]
  readonly limits: number[]
}

/** The pages as rows `page`. */
export const pagesIn = ({ workspaces, afters, limits }: PagesWanted): Fragment => fragment`
  unnest(${workspaces}::text[], ${afters}::text[], ${limits}::bigint[])
    with ordinality as page (workspace_id, after, size, ordinal)`

/**
 * Makes something from the rows of a page once for all callers who share them. It must depend on nothing but the
 * page.
 */
export function oncePerPage<Row, Rest extends unknown[], Made>(
  make: (rows: Row[], ...rest: Rest) => Made,
): (rows: Row[], ...rest: Rest) => Made {
  const made = new WeakMap<Row[], { readonly it: Made }>()
  return (rows, ...rest) => {
    const known = made.get(rows)
    if (known) return known.it
    const it = make(rows, ...rest)
    made.set(rows, { it })
    return it
  }
}

/**
 * @param name of these batches in metrics and traces
 * @param read rows of all pages, each with the `ordinal` of its page, in the order of the page
 */
export function createPageReader<Row extends object>(
  database: Database,
  name: string,
  read: (sql: Sql, wanted: PagesWanted) => Promise<(Row & { ordinal: number })[]>,
): ReadPage<Row> {
  return coalesceStatements<PageWanted, Row[]>(
    database,
    async (sql, items) => {
      const pages: Row[][] = items.map(() => [])
      const rows = await read(sql, {
        workspaces: items.map(({ workspace }) => workspace),
        afters: items.map(({ after }) => after),
        limits: items.map(({ limit }) => limit),
      })
      for (const { ordinal, ...row } of rows) pages[ordinal - 1]?.push(row as unknown as Row)
      return pages
    },
    { name, keyOf: ({ workspace, after, limit }) => `${workspace} ${after} ${limit}` },
  )
}
