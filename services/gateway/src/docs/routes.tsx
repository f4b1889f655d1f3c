/** `/docs`: the reference, the guides as pages and as Markdown, and an index of them for programs that read. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { allowReference } from '../pages/security-headers.ts'
import { GuidePage, ReferencePage } from './pages.tsx'
import type { Guide } from './render-guide.ts'

interface Stored {
  readonly type: string
  readonly content: string
  readonly etag: string
}

export function docsRoutes(app: FastifyInstance, publicUrl: string) {
  const guides = readGuides(publicUrl)
  const reference = html(<ReferencePage guides={guides} />)
  app.get('/docs', (request, reply) => {
    allowReference(reply)
    return send(request, reply, reference)
  })
  app.get('/docs/', (_request, reply) => reply.removeHeader('content-type').redirect('/docs', 308))
  for (const guide of guides) {
    const page = html(<GuidePage guide={guide} guides={guides} />)
    const markdown = stored('text/markdown; charset=utf-8', guide.markdown)
    app.get(`/docs/${guide.name}`, (request, reply) => send(request, reply, page))
    app.get(`/docs/${guide.name}.md`, (request, reply) => send(request, reply, markdown))
  }
  const index = stored('text/plain; charset=utf-8', indexOf(guides, publicUrl))
  app.get('/llms.txt', (request, reply) => send(request, reply, index))
}

function readGuides(publicUrl: string): Guide[] {
  const text = readFileSync(new URL('../../dist/guides.json', import.meta.url), 'utf8')
  return JSON.parse(text.replaceAll('{{public_url}}', publicUrl))
}

const html = (page: VNode) => stored('text/html; charset=utf-8', `<!doctype html>${renderToString(page)}`)

function stored(type: string, content: string): Stored {
  return { type, content, etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"` }
}

/** Kept by a browser, and asked for each time: a new release shows at once. */
function send({ headers }: FastifyRequest, reply: FastifyReply, { type, content, etag }: Stored) {
  reply.header('etag', etag).header('cache-control', 'public, no-cache')
  const held = headers['if-none-match']?.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  if (held?.includes(etag)) return reply.removeHeader('content-type').code(304).send()
  return reply.type(type).send(content)
}

/** https://llmstxt.org */
const indexOf = (guides: readonly Guide[], publicUrl: string) => `# svc

> An HTTP and JSON API: sellers publish offers, teams manage workspace API tokens, operators change the compute settings of clusters.

The API is at ${publicUrl}/v1.

## Docs

- [OpenAPI document](${publicUrl}/v1/openapi.json): every operation, with schemas and errors
${guides.map(({ name, title, summary }) => `- [${title}](${publicUrl}/docs/${name}.md): ${summary}\n`).join('')}`
