/** `/docs`: the reference, the guides as pages and as Markdown, and an index of them for programs that read. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { keep, sendKept } from '../http/kept-answer.ts'
import { allowReference } from '../pages/shared/security-headers.ts'
import { GuidePage, ReferencePage } from './pages.tsx'
import type { Guide } from './render-guide.ts'

export function docsRoutes(app: FastifyInstance, publicUrl: string) {
  const guides = readGuides(publicUrl)
  const reference = html(<ReferencePage guides={guides} />)
  app.get('/docs', (request, reply) => {
    allowReference(reply)
    return sendKept(request, reply, reference)
  })
  app.get('/docs/', (_request, reply) =>
    reply.removeHeader('content-type').header('content-length', 0).redirect('/docs', 308),
  )
  for (const guide of guides) {
    const page = html(<GuidePage guide={guide} guides={guides} />)
    const markdown = keep('text/markdown; charset=utf-8', guide.markdown)
    app.get(`/docs/${guide.name}`, (request, reply) => sendKept(request, reply, page))
    app.get(`/docs/${guide.name}.md`, (request, reply) => sendKept(request, reply, markdown))
  }
  const index = keep('text/plain; charset=utf-8', indexOf(guides, publicUrl))
  app.get('/llms.txt', (request, reply) => sendKept(request, reply, index))
}

function readGuides(publicUrl: string): Guide[] {
  const text = readFileSync(new URL('../../dist/guides.json', import.meta.url), 'utf8')
  return JSON.parse(text.replaceAll('{{public_url}}', publicUrl))
}

const html = (page: VNode) => keep('text/html; charset=utf-8', `<!doctype html>${renderToString(page)}`)

/** https://llmstxt.org */
const indexOf = (guides: readonly Guide[], publicUrl: string) => `# svc

> An HTTP and JSON API: sellers publish offers, teams manage workspace API tokens, operators change the compute settings of clusters.

The API is at ${publicUrl}/v1.

## Docs

- [OpenAPI document](${publicUrl}/v1/openapi.json): every operation, with schemas and errors
${guides.map(({ name, title, summary }) => `- [${title}](${publicUrl}/docs/${name}.md): ${summary}\n`).join('')}`
