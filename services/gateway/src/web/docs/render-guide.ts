import { Marked, type Token, type Tokens } from 'marked'
import { type Answer, drawAnswer, drawWays, joinWays, type Ways } from './ways.ts'

export interface Guide {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  readonly html: string
  readonly markdown: string
}

export function renderGuide(name: string, markdown: string): Guide {
  const [, title, summary] = /^# (.+)\n\n((?:.+\n)+)/.exec(markdown) ?? []
  if (!title || !summary) throw new Error(`${name}.md must begin with a title and a paragraph`)
  const sections: { id: string; title: string }[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = idOf(tokens.map(({ raw }) => raw).join(''))
        const html = this.parser.parseInline(tokens)
        if (depth === 2) sections.push({ id, title: html.replace(/<[^>]+>/g, '') })
        return depth === 1 ? `<h1>${html}</h1>\n` : `<h${depth} id="${id}">${html}</h${depth}>\n`
      },
      code: drawCode,
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>\n`).join('')
        const head = `<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead>`
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>\n${rows}</tbody></table></div>\n`
      },
    },
  })
  const draw = (block: Token) => marked.parser([block])
  marked.use({
    extensions: [
      { name: 'ways', renderer: token => drawWays(token as unknown as Ways, draw) },
      { name: 'answer', renderer: token => drawAnswer(token as unknown as Answer, draw) },
    ],
  })
  const html = marked.parser(joinWays(marked.lexer(markdown)))
  return {
    name,
    title,
    summary: summary
      .replace(/\n/g, ' ')
      .replace(/[`*]|\[([^\]]+)\]\([^)]+\)/g, '$1')
      .trim(),
    sections,
    // Links may point to an error's code.
    html: html.replace(/<td><code>(\d{5})<\/code><\/td>/g, '<td id="$1"><code>$1</code></td>'),
    markdown,
  }
}

const idOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** May be wider than a phone, as tables may: focusable, so that it scrolls with the arrow keys. */
export const drawCode = ({ text, lang }: Pick<Tokens.Code, 'text' | 'lang'>): string =>
  `<div class="code"><pre tabindex="0"><code class="${lang}">${escapeHtml(text)}\n</code></pre></div>\n`

export const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
