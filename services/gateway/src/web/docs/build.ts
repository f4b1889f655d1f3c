/** Part of the build: the OpenAPI document, the guides as HTML, the reference, and the search index. */
import { root } from '@svc/contract/core/root'
import { openApiDocument } from '@svc/contract/openapi/document'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fillIn } from './fill-in.ts'
import { guideNames } from './guide-names.ts'
import { renderReference } from './reference/render-reference.tsx'
import { renderGuide } from './render-guide.ts'
import { searchIndex } from './search-index.ts'

const dist = new URL('../../', import.meta.url)
const source = (name: string) =>
  readFileSync(new URL(`../../../src/web/docs/guides/${name}.md`, import.meta.url), 'utf8')
const guides = guideNames.map(name => renderGuide(name, fillIn(source(name))))
writeFileSync(new URL('guides.json', dist), JSON.stringify(guides))
// Building it at each start would take about a fifth of a gateway's start.
const document = openApiDocument(`{{public_url}}${root}`)
writeFileSync(new URL('openapi.json', dist), JSON.stringify(document))
const { entries, articles } = renderReference(document)
writeFileSync(new URL('reference.json', dist), JSON.stringify(entries))
mkdirSync(new URL('reference', dist), { recursive: true })
for (const [id, html] of Object.entries(articles)) writeFileSync(new URL(`reference/${id}.html`, dist), html)
writeFileSync(new URL('search-index.json', dist), JSON.stringify(searchIndex(guides, entries)))
