// What sources and pages refer to exists: pages, rules of docs/specification.md, headings, links, files.
import { repoRoot } from '@svc/local/repo-root'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const folders = ['apps', 'deploy', 'docs', 'libs', 'scripts', 'services', 'tests', '.ci']
const textFile = /(\.(ts|tsx|js|mjs|css|sh|sql|md|ya?ml|conf)|\/(run|clean-room|Dockerfile))$/
const files = [
  ...readdirSync(repoRoot).filter(name => /\.(md|ya?ml|ts)$/.test(name)),
  ...folders.flatMap(folder => textFilesIn(folder)),
]
const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8')
/** Without comment markers at the beginning of lines, so that a reference may continue in the next line. */
const texts = new Map(files.map(path => [path, read(path).replace(/\n\s*(\/\/|\*|#)? */g, ' ')]))
/** The guides have their own test, which follows their links in a running gateway. */
const pages = files.filter(path => path.endsWith('.md') && !path.includes('gateway/src/web/docs/'))
const rules = new Set(
  [...read('docs/specification.md').matchAll(/^\*\*(R\d+)\.\*\*/gm)].map(([, rule]) => rule),
)

function textFilesIn(folder: string): string[] {
  return readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return /^(node_modules|dist|\.turbo)$/.test(entry.name) ? [] : textFilesIn(path)
    return textFile.test(path) ? [path] : []
  })
}

const headingsOf = (page: string) =>
  [...withoutCode(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title)
const withoutCode = (markdown: string) => markdown.replace(/^ *```.*?^ *```$/gms, '')
/** As GitHub makes anchors of headings. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')

test('the rules of the specification are numbered once each', () => {
  const numbers = read('docs/specification.md').match(/^\*\*R\d+\.\*\*/gm) ?? []
  expect(numbers.length).toBeGreaterThan(60)
  expect(numbers).toHaveLength(rules.size)
})

describe('every page of docs that a source names', () => {
  const named = [...texts].flatMap(([path, text]) =>
    [
      ...text.matchAll(
        /(?<![\w/.])docs\/((?:[a-z-]+\/)*[a-z-]+\.md)(#[\w-]+)?((?:,| to| and)+ (?:R\d+|"[^"]+"))*/g,
      ),
    ].map(([reference, page = '', anchor]) => ({ path, reference, page: `docs/${page}`, anchor })),
  )

  test('exists, with its heading', () => {
    expect(named.length).toBeGreaterThan(60)
    const wrong = named.filter(({ page, anchor, reference }) => {
      if (!existsSync(join(repoRoot, page))) return true
      const headings = headingsOf(page)
      const quoted = [...reference.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title)
      if (quoted.some(title => !headings.includes(title))) return true
      return anchor !== undefined && !headings.map(anchorOf).includes(anchor.slice(1))
    })
    expect(wrong).toEqual([])
  })

  test('has the rule', () => {
    const cited = named.flatMap(({ path, reference }) =>
      [...reference.matchAll(/\bR\d+\b/g)].map(([rule]) => ({ path, rule })),
    )
    expect(cited.length).toBeGreaterThan(30)
    expect(cited.filter(({ rule }) => !rules.has(rule))).toEqual([])
  })
})

test('no source cites a document that does not exist', () => {
  const cites = /\b(design|specification), (section|rule)|\((design|specification), "/i
  const citing = files.filter(
    path => path !== 'tests/docs-references.test.ts' && cites.test(texts.get(path) ?? ''),
  )
  expect(citing).toEqual([])
})

test.each(pages)('%s: its links resolve', page => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  const wrong = links.filter(link => {
    if (link.startsWith('https:')) return false
    const [to = '', anchor] = link.split('#')
    const target = to ? normalize(join(dirname(page), to)) : page
    if (!existsSync(join(repoRoot, target))) return true
    return anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor)
  })
  expect(wrong).toEqual([])
})

test.each(pages)('%s: the files that it names exist', page => {
  const named = [...read(page).matchAll(/`((?:apps|deploy|docs|libs|scripts|services|tests)\/[\w./-]*\w)`/g)]
  const missing = named.map(([, path = '']) => path).filter(path => !existsSync(join(repoRoot, path)))
  expect(missing).toEqual([])
})
