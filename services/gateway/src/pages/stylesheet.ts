/** The files that pages refer to: named by their content, so that a browser may keep them for ever. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const stylesheet = asset('pages.css', 'text/css; charset=utf-8')
const icon = asset('icon.svg', 'image/svg+xml')

export const stylesheetPath = stylesheet.path
export const iconPath = icon.path

export function assetRoutes(app: FastifyInstance) {
  for (const { name, hash, type, content } of [stylesheet, icon]) {
    const [stem, extension] = name.split('.')
    app.get<{ Params: { hash: string } }>(`/assets/${stem}.:hash.${extension}`, ({ params }, reply) => {
      // A page of a gateway of another version, while versions are replaced: nearly right, and not for keeping.
      if (params.hash === hash) reply.header('cache-control', 'public, max-age=31536000, immutable')
      return reply.type(type).send(content)
    })
  }
}

function asset(name: string, type: string) {
  const content = readFileSync(new URL(`../../assets/${name}`, import.meta.url))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const [stem, extension] = name.split('.')
  return { name, hash, type, content, path: `/assets/${stem}.${hash}.${extension}` }
}
