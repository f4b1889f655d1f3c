/** Files that pages refer to: named by their content, so that a browser may cache them for ever. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { accepts } from '../../../edge/http/accepted-coding.ts'

const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

// From Inter, as the build has copied it: text of one file for Western languages, and the letters of most others of Europe.
const fonts = ['inter-latin.woff2', 'inter-latin-ext.woff2'].map(name =>
  asset([`dist/${name}`], 'font/woff2'),
)
const stylesheet = asset(['assets/tokens.css', 'assets/pages.css'], css, withFonts)
const consoleStylesheet = asset(
  ['frame', 'page', 'table', 'narrow', 'lists', 'chart', 'parts', 'components'].map(
    name => `assets/console/${name}.css`,
  ),
  css,
)
const icon = asset(['assets/icon.svg'], 'image/svg+xml')
const offerForm = asset(['dist/offer-form.js'], script)
const consoleScript = asset(['dist/console-browser.js'], script)
const pagesScript = asset(['dist/pages-browser.js'], script)
const passkeysScript = asset(['dist/passkeys-browser.js'], script)
const docsStylesheet = asset(['assets/docs.css'], css)
const docs = asset(['assets/docs.js'], script)
const order = asset(['assets/order.js'], script)
const all = [
  ...[
    stylesheet,
    icon,
    offerForm,
    pagesScript,
    passkeysScript,
    order,
    ...fonts,
    consoleStylesheet,
    consoleScript,
  ],
  ...[docsStylesheet, docs],
]

export const stylesheetPath = stylesheet.path
export const iconPath = icon.path
export const offerFormPath = offerForm.path
export const pagesScriptPath = pagesScript.path
export const passkeysScriptPath = passkeysScript.path
export const orderScriptPath = order.path
export const consoleStylesheetPath = consoleStylesheet.path
export const consoleScriptPath = consoleScript.path
export const docsStylesheetPath = docsStylesheet.path
export const docsScriptPath = docs.path

export function assetRoutes(app: FastifyInstance) {
  for (const { name, hash, type, content, zipped, brotli } of all) {
    const [stem, extension] = name.split('.')
    app.get<{ Params: { hash: string } }>(
      `/assets/${stem}.:hash.${extension}`,
      ({ params, headers }, reply) => {
        // A page of another version's gateway, during an upgrade: nearly right, but must not be cached.
        if (params.hash === hash) reply.header('cache-control', 'public, max-age=31536000, immutable')
        reply.type(type)
        // Fonts are already compressed.
        if (!zipped) return reply.send(content)
        reply.header('vary', 'accept-encoding')
        const accepted = headers['accept-encoding'] ?? ''
        if (brotli && accepts(accepted, 'br')) return reply.header('content-encoding', 'br').send(brotli)
        if (!accepts(accepted, 'gzip')) return reply.send(content)
        return reply.header('content-encoding', 'gzip').send(zipped)
      },
    )
  }
}

function asset(files: readonly string[], type: string, change = (content: Buffer) => content) {
  const at = (file: string) => new URL(`../../../../${file}`, import.meta.url)
  const file = files.at(-1) ?? ''
  const content = change(Buffer.concat(files.map(one => readFileSync(at(one)))))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const name = file.split('/').at(-1) ?? ''
  const [stem, extension] = name.split('.')
  const compressed = (suffix: string) =>
    existsSync(at(file + suffix)) ? readFileSync(at(file + suffix)) : undefined
  return {
    name,
    hash,
    type,
    content,
    zipped: type.startsWith('font/') ? undefined : (compressed('.gz') ?? gzipSync(content)),
    brotli: compressed('.br'),
    path: `/assets/${stem}.${hash}.${extension}`,
  }
}

function withFonts(content: Buffer): Buffer {
  const text = content.toString()
  return Buffer.from(
    fonts.reduce((done, { name, path }) => done.replace(`url("${name}")`, `url("${path}")`), text),
  )
}
