/** Part of the build: the OpenAPI document, the guides as HTML, their search index, and the files of Swagger UI. */
import { root } from '@svc/contract/core/root'
import { openApiDocument } from '@svc/contract/openapi/document'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { writeCompressed } from '../kit/page/write-compressed.ts'
import { fillIn } from './fill-in.ts'
import { guideNames } from './guide-names.ts'
import { renderGuide } from './render-guide.ts'
import { searchIndex } from './search-index.ts'

const dist = new URL('../../', import.meta.url)
const source = (name: string) =>
  readFileSync(new URL(`../../../src/web/docs/guides/${name}.md`, import.meta.url), 'utf8')
const guides = guideNames.map(name => renderGuide(name, fillIn(source(name))))
writeFileSync(new URL('guides.json', dist), JSON.stringify(guides))
writeFileSync(new URL('search-index.json', dist), JSON.stringify(searchIndex(guides)))
// Building it at each start would take about a fifth of a gateway's start.
writeFileSync(new URL('openapi.json', dist), JSON.stringify(openApiDocument(`{{public_url}}${root}`)))

const swaggerUi = (name: string) =>
  // Source maps are not served, so nothing may request them.
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`), 'utf8').replace(
    /\/[/*]# sourceMappingURL=\S+(?: ?\*\/)?\s*$/,
    '',
  )
mkdirSync(dist, { recursive: true })
// Apache License 2.0, section 4: the notices go with the file.
const notices = `${swaggerUi('swagger-ui-bundle.js.LICENSE.txt')}\n/*! ${swaggerUi('NOTICE').trim()}\nApache License 2.0 */\n`
writeCompressed(new URL('swagger-ui.js', dist), `${swaggerUi('swagger-ui-bundle.js')}\n${notices}`)
writeCompressed(new URL('swagger-ui.css', dist), swaggerUi('swagger-ui.css'))
