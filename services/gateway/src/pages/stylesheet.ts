/** The files that pages refer to: named by their content, so that a browser may keep them for ever. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const stylesheet = asset('assets/pages.css', 'text/css; charset=utf-8')
const icon = asset('assets/icon.svg', 'image/svg+xml')
const offerForm = asset('dist/offer-form.js', 'text/javascript; charset=utf-8')

export const stylesheetPath = stylesheet.path
export const iconPath = icon.path
export const offerFormPath = offerForm.path

export function assetRoutes(app: FastifyInstance) {
  for (const { name, hash, type, content, zipped } of [stylesheet, icon, offerForm]) {
    const [stem, extension] = name.split('.')
    app.get<{ Params: { hash: string } }>(
      `/assets/${stem}.:hash.${extension}`,
      ({ params, headers }, reply) => {
        // A page of a gateway of another version, while versions are replaced: nearly right, and not for keeping.
        if (params.hash === hash) reply.header('cache-control', 'public, max-age=31536000, immutable')
        reply.type(type).header('vary', 'accept-encoding')
        if (!/\bgzip\b(?! *; *q=0(?:\.0*)?(?:,|$))/.test(headers['accept-encoding'] ?? ''))
          return reply.send(content)
        return reply.header('content-encoding', 'gzip').send(zipped)
      },
    )
  }
}

function asset(file: string, type: string) {
  const content = readFileSync(new URL(`../../${file}`, import.meta.url))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const name = file.split('/').at(-1) ?? ''
  const [stem, extension] = name.split('.')
  return {
    name,
    hash,
    type,
    content,
    zipped: gzipSync(content),
    path: `/assets/${stem}.${hash}.${extension}`,
  }
}
