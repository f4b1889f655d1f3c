import type { Answer } from '@svc/bus/call'
import { header } from '@svc/bus/wire'
import type { Operation } from '@svc/contract/core/operation'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

export const jsonLines = 'application/x-ndjson; charset=utf-8'

const maxPerPage = '100'

interface Page {
  readonly data: readonly object[]
  readonly next_cursor: string | null
}

export const wantsLines = ({ lines }: Operation, { headers }: IncomingMessage): boolean =>
  lines === true && /\bapplication\/x-ndjson\b/i.test(headers.accept ?? '')

/** Oldest first, since new items are appended. */
export function linesQuery(query: string | undefined, cursor?: string): Record<string, string> {
  const wanted = new URLSearchParams(query ?? '')
  for (const [key, value] of Object.entries({ order: 'asc', limit: maxPerPage })) wanted.set(key, value)
  if (cursor !== undefined) wanted.set('cursor', cursor)
  return { [header.query]: wanted.toString() }
}

/**
 * Each page is requested when the previous one was read, so a slow reader delays only itself. If a page fails the
 * answer breaks off: its last whole line shows where to continue.
 *
 * @param next requests the page at a cursor
 * @param unreadMs a page that is not read within this many milliseconds is the last one
 */
export function linesOf(
  first: Answer,
  next: (cursor: string) => Promise<Answer>,
  unreadMs: number,
): Readable {
  const lines = Readable.from(pages(), { objectMode: false })
  return lines

  async function* pages() {
    let page = parse(first)
    while (page.data.length > 0) {
      const unread = setTimeout(() => lines.destroy(new Error('A page of lines was not read.')), unreadMs)
      try {
        yield `${page.data.map(item => JSON.stringify(item)).join('\n')}\n`
      } finally {
        clearTimeout(unread)
      }
      if (page.data.length < Number(maxPerPage) || page.next_cursor === null) return
      const answer = await next(page.next_cursor)
      if (answer.status !== 200) throw new Error(`A page of lines was answered ${answer.status}.`)
      page = parse(answer)
    }
  }
}

const parse = ({ body }: Answer): Page => JSON.parse(Buffer.from(body).toString())
