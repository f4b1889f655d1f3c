/** Part of the build: the OpenAPI document, the guides as HTML, and the files of Swagger UI, compressed as far as it goes. */
import { openApiDocument } from '@svc/contract/openapi'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fillIn } from './fill-in.ts'
import { guideNames } from './guide-names.ts'
import { renderGuide } from './render-guide.ts'

const dist = new URL('../', import.meta.url)
const source = (name: string) => readFileSync(new URL(`../../src/docs/${name}.md`, import.meta.url), 'utf8')
const guides = guideNames.map(name => renderGuide(name, fillIn(source(name))))
writeFileSync(new URL('guides.json', dist), JSON.stringify(guides))
// Made at each start, it would be about a fifth of what the start of a gateway costs.
writeFileSync(new URL('openapi.json', dist), JSON.stringify(openApiDocument()))

const swaggerUi = (name: string) =>
  // Maps are not served, so nothing may ask for them.
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`), 'utf8').replace(
    /\/[/*]# sourceMappingURL=\S+(?: ?\*\/)?\s*$/,
    '',
  )
mkdirSync(dist, { recursive: true })
// Apache License 2.0, section 4: the notices go with the file.
const notices = `${swaggerUi('swagger-ui-bundle.js.LICENSE.txt')}\n/*! ${swaggerUi('NOTICE').trim()}\nApache License 2.0 */\n`
writeCompressed('swagger-ui.js', `${swaggerUi('swagger-ui-bundle.js')}\n${notices}`)
writeCompressed('swagger-ui.css', swaggerUi('swagger-ui.css'))

function writeCompressed(name: string, text: string) {
  writeFileSync(new URL(name, dist), text)
  writeFileSync(new URL(`${name}.gz`, dist), gzipSync(text, { level: 9 }))
  // The best quality takes seconds for a few percent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 }
  writeFileSync(new URL(`${name}.br`, dist), brotliCompressSync(text, { params }))
}
