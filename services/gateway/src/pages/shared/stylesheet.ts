/** The files that pages refer to: named by their content, so that a browser may keep them for ever. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { accepts } from '../../http/accepted-coding.ts'

const stylesheet = asset('assets/pages.css', 'text/css; charset=utf-8')
const icon = asset('assets/icon.svg', 'image/svg+xml')
const offerForm = asset('dist/offer-form.js', 'text/javascript; charset=utf-8')
const docsStylesheet = asset('assets/docs.css', 'text/css; charset=utf-8')
const swaggerUiStylesheet = asset('dist/swagger-ui.css', 'text/css; charset=utf-8')
const swaggerUi = asset('dist/swagger-ui.js', 'text/javascript; charset=utf-8')
const reference = asset('assets/reference.js', 'text/javascript; charset=utf-8')
const docs = asset('assets/docs.js', 'text/javascript; charset=utf-8')
const order = asset('assets/order.js', 'text/javascript; charset=utf-8')
const all = [
  ...[stylesheet, icon, offerForm, order],
  ...[docsStylesheet, swaggerUiStylesheet, swaggerUi, reference, docs],
]

export const stylesheetPath = stylesheet.path
export const iconPath = icon.path
export const offerFormPath = offerForm.path
export const orderScriptPath = order.path
export const docsStylesheetPath = docsStylesheet.path
export const swaggerUiStylesheetPath = swaggerUiStylesheet.path
export const docsScriptPath = docs.path
export const referenceScripts = [swaggerUi.path, reference.path]

export function assetRoutes(app: FastifyInstance) {
  for (const { name, hash, type, content, zipped, brotli } of all) {
    const [stem, extension] = name.split('.')
    app.get<{ Params: { hash: string } }>(
      `/assets/${stem}.:hash.${extension}`,
      ({ params, headers }, reply) => {
        // A page of a gateway of another version, while versions are replaced: nearly right, and not for keeping.
        if (params.hash === hash) reply.header('cache-control', 'public, max-age=31536000, immutable')
        reply.type(type).header('vary', 'accept-encoding')
        const accepted = headers['accept-encoding'] ?? ''
        if (brotli && accepts(accepted, 'br')) return reply.header('content-encoding', 'br').send(brotli)
        if (!accepts(accepted, 'gzip')) return reply.send(content)
        return reply.header('content-encoding', 'gzip').send(zipped)
      },
    )
  }
}

/** Large files were compressed by the build. */
function asset(file: string, type: string) {
  const at = (suffix = '') => new URL(`../../../${file}${suffix}`, import.meta.url)
  const content = readFileSync(at())
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const name = file.split('/').at(-1) ?? ''
  const [stem, extension] = name.split('.')
  return {
    name,
    hash,
    type,
    content,
    zipped: existsSync(at('.gz')) ? readFileSync(at('.gz')) : gzipSync(content),
    brotli: existsSync(at('.br')) ? readFileSync(at('.br')) : undefined,
    path: `/assets/${stem}.${hash}.${extension}`,
  }
}
