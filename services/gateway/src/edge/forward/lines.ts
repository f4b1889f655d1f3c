/** Lists with all of their pages in one answer: as JSON lines, or as CSV. */
import type { Answer } from '@svc/bus/call'
import { defaultBudgetMs, header } from '@svc/bus/wire'
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { Operation } from '@svc/contract/core/operation'
import { schemaOf } from '@svc/contract/openapi/json-schema'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { columnsOf, headOf, rowOf } from './csv.ts'

const maxPerPage = '100'

export interface Page {
  readonly data: readonly object[]
  readonly next_cursor: string | null
}

export interface Lines {
  readonly headers: Readonly<Record<string, string>>
  /** What each page is asked with, besides what the request asks. */
  readonly query: Readonly<Record<string, string>>
  readonly head: string
  readonly lineOf: (item: object) => string
  readonly isLast: (page: Page) => boolean
}

/** Oldest first, since new items are appended: such a list has a cursor at its end, too. */
const jsonLines: Lines = {
  headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
  query: { order: 'asc', limit: maxPerPage },
  head: '',
  lineOf: item => `${JSON.stringify(item)}\n`,
  isLast: ({ data }) => data.length < Number(maxPerPage),
}

function csvOf({ http, output }: Operation): Lines {
  const columns = columnsOf(schemaOf(output, 'output').properties?.data?.items ?? {})
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${http?.path.slice(1)}.csv"`,
    },
    query: { limit: maxPerPage },
    head: headOf(columns),
    lineOf: item => rowOf(columns, item),
    isLast: () => false,
  }
}

export const linesOf = (operation: Operation): Lines | undefined =>
  operation.lines && (operation.lines === 'text/csv' ? csvOf(operation) : jsonLines)

export const wantsLines = ({ lines }: Operation, { headers }: IncomingMessage): boolean =>
  lines !== undefined && (headers.accept ?? '').toLowerCase().includes(lines)

export function linesQuery(
  { query }: Lines,
  asked: string | undefined,
  cursor?: string,
): Record<string, string> {
  const wanted = new URLSearchParams(asked ?? '')
  for (const [key, value] of Object.entries(query)) wanted.set(key, value)
  if (cursor !== undefined) wanted.set('cursor', cursor)
  return { [header.query]: wanted.toString() }
}

/**
 * Each page is requested when the previous one was read, so a slow reader delays only itself. If a page fails the
 * answer breaks off.
 *
 * @param next requests the page at a cursor
 * @param unreadMs a page that is not read within this many milliseconds is the last one
 */
export function streamLines(
  { head, lineOf, isLast }: Lines,
  first: Page,
  next: (cursor: string) => Promise<Page>,
  unreadMs: number,
): Readable {
  const lines = Readable.from(pages(), { objectMode: false })
  return lines

  async function* pages() {
    let text = head
    for (let page = first; ; page = await next(page.next_cursor)) {
      text += page.data.map(lineOf).join('')
      if (text !== '') {
        const unread = setTimeout(() => lines.destroy(new Error('A page of lines was not read.')), unreadMs)
        try {
          yield text
        } finally {
          clearTimeout(unread)
        }
      }
      text = ''
      if (page.next_cursor === null || isLast(page)) return
    }
  }
}

export function pageIn({ status, body }: Answer): Page {
  if (status !== 200) throw new Error(`A page of lines was answered ${status}.`)
  return JSON.parse(Buffer.from(body).toString())
}

/** Admits the request again for its next page. Waits if the rate limit is used up. */
export async function admitAgain<Admitted>(
  request: FastifyRequest,
  reply: FastifyReply,
  leaving: AbortSignal,
  admit: () => Promise<Admitted>,
): Promise<Admitted> {
  for (;;) {
    if (leaving.aborted || reply.raw.closed) throw refusal('unavailable')
    request.deadline = Date.now() + defaultBudgetMs
    try {
      return await admit()
    } catch (error) {
      if (!isRateLimited(error)) throw error
      await delay(Number(error.headers['Retry-After']) * 1000, undefined, { signal: leaving })
    }
  }
}

export const isRateLimited = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason === 'rate_limited'
