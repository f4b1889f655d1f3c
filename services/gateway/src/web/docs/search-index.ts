/** Part of the build: the search index of each section of each guide, each operation, and each error code. */
import { codes } from '@svc/contract/core/error-codes'
import { Marked, type Token } from 'marked'
import type { SearchEntry } from './find-entries.ts'
import type { ReferenceEntry } from './reference/reference-entry.ts'
import type { Guide } from './render-guide.ts'

export const searchIndex = (
  guides: readonly Guide[],
  reference: readonly ReferenceEntry[],
): SearchEntry[] => [...guides.flatMap(sectionsOf), ...reference.map(operationEntry), ...codeEntries()]

function sectionsOf({ name, title, markdown, sections }: Guide): SearchEntry[] {
  const [opening = '', ...parts] = markdown.split(/^## .+$/m)
  const ofGuide = { page: 'Guide', title, path: `/docs/${name}`, text: wordsOf(opening) }
  return [
    ofGuide,
    ...sections.map((section, index) => ({
      page: title,
      title: asText(section.title),
      path: `/docs/${name}#${section.id}`,
      text: wordsOf(parts[index] ?? ''),
    })),
  ]
}

const operationEntry = ({ id, group, title, method, path }: ReferenceEntry): SearchEntry => ({
  page: `${method} ${path}`,
  title,
  path: `/docs/reference/${id}`,
  text: `${group} ${id}`.toLowerCase(),
})

function codeEntries(): SearchEntry[] {
  return Object.values(codes).map(([code, tag, sentence]) => ({
    page: 'Errors',
    title: `${code}: ${sentence}`,
    path: `/docs/errors#${code}`,
    text: tag.toLowerCase(),
  }))
}

/** Each word once, for finding, not for reading. Without examples, most of which are alike. */
function wordsOf(markdown: string): string {
  const texts: string[] = []
  new Marked().walkTokens(new Marked().lexer(markdown), (token: Token) => {
    if (token.type !== 'code' && 'text' in token && !('tokens' in token && token.tokens))
      texts.push(String(token.text))
  })
  const words =
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}_.:/-]{2,}/gu) ?? []
  return [...new Set(words)].join(' ')
}

const asText = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '')
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
