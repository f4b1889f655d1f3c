/** `/docs`: the reference, the guides as pages and as Markdown, their search, and their texts for programs. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Kept, keep, sendKept } from '../../edge/http/kept-answer.ts'
import { queryOf } from '../kit/forms/form-fields.ts'
import { sendPage } from '../kit/page/layout.tsx'
import { allowOwnRequests } from '../kit/page/security-headers.ts'
import { findEntries, type SearchEntry } from './find-entries.ts'
import { GuidePage, ReferencePage, ResultsPage } from './pages.tsx'
import type { ReferenceEntry } from './reference/reference-entry.ts'
import type { Guide } from './render-guide.ts'
import { indexOf, wholeOf } from './texts-for-programs.ts'

export function docsRoutes(app: FastifyInstance, publicUrl: string) {
  const guides: Guide[] = JSON.parse(readBuilt('guides.json').replaceAll('{{public_url}}', publicUrl))
  const reference: ReferenceEntry[] = JSON.parse(readBuilt('reference.json'))
  const docs = { guides, reference }
  const send = (request: FastifyRequest, reply: FastifyReply, page: Kept) => {
    allowOwnRequests(reply)
    return sendKept(request, reply, page)
  }
  const index = html(<ReferencePage {...docs} html={readBuilt('reference/index.html')} />)
  app.get('/docs', (request, reply) => send(request, reply, index))
  const operationPages = new LRUCache<string, Kept>({ max: 20 })
  for (const operation of reference)
    app.get(`/docs/reference/${operation.id}`, (request, reply) => {
      const { id } = operation
      const page =
        operationPages.get(id) ??
        html(<ReferencePage {...docs} operation={operation} html={readBuilt(`reference/${id}.html`)} />)
      operationPages.set(id, page)
      return send(request, reply, page)
    })
  app.get('/docs/', (_request, reply) =>
    reply.removeHeader('content-type').header('content-length', 0).redirect('/docs', 308),
  )
  for (const guide of guides) {
    const page = html(<GuidePage {...docs} guide={guide} />)
    const markdown = keep('text/markdown; charset=utf-8', guide.markdown)
    app.get(`/docs/${guide.name}`, (request, reply) => send(request, reply, page))
    app.get(`/docs/${guide.name}.md`, (request, reply) => sendKept(request, reply, markdown))
  }
  const entries: SearchEntry[] = JSON.parse(readBuilt('search-index.json'))
  app.get('/docs/search', (request, reply) => {
    allowOwnRequests(reply)
    const query = searchedFor(request)
    return sendPage(reply, 200, <ResultsPage {...docs} query={query} found={findEntries(entries, query)} />)
  })
  app.get('/docs/search.json', (request, reply) =>
    reply.send(
      findEntries(entries, searchedFor(request)).map(({ page, title, path }) => ({ page, title, path })),
    ),
  )
  const plain = (text: string) => keep('text/plain; charset=utf-8', text)
  const [short, whole] = [plain(indexOf(guides, publicUrl)), plain(wholeOf(guides, publicUrl))]
  app.get('/llms.txt', (request, reply) => sendKept(request, reply, short))
  app.get('/llms-full.txt', (request, reply) => sendKept(request, reply, whole))
}

const readBuilt = (name: string) => readFileSync(new URL(`../../../dist/${name}`, import.meta.url), 'utf8')
const html = (page: VNode) => keep('text/html; charset=utf-8', `<!doctype html>${renderToString(page)}`)

const searchedFor = (request: FastifyRequest): string => queryOf(request).get('q') ?? ''
