import { Marked, type Token, type Tokens } from 'marked'

/** One page of the documentation, as the build leaves it for the gateway. */
export interface Guide {
  readonly name: string
  readonly title: string
  /** The first paragraph, as text. */
  readonly summary: string
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  readonly html: string
  readonly markdown: string
}

/** @param markdown begins with its title (`# …`) and a paragraph that sums it up */
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
      // Both may be wider than a phone: focusable, so that they scroll with the arrow keys.
      code: ({ text, lang }) =>
        `<div class="code"><pre tabindex="0"><code class="${lang}">${escapeHtml(text)}\n</code></pre></div>\n`,
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>\n`).join('')
        const head = `<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead>`
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>\n${rows}</tbody></table></div>\n`
      },
    },
  })
  marked.use({ extensions: [{ name: 'ways', renderer: drawWays }] })
  const html = marked.parser(joinWays(marked.lexer(markdown)))
  return {
    name,
    title,
    summary: summary
      .replace(/\n/g, ' ')
      .replace(/[`*]|\[([^\]]+)\]\([^)]+\)/g, '$1')
      .trim(),
    sections,
    // A code of an error can be linked to.
    html: html.replace(/<td><code>(\d{5})<\/code><\/td>/g, '<td id="$1"><code>$1</code></td>'),
    markdown,
  }
}

/** The ways to do one step, by the language of the block, in the order in which they are chosen from. */
const ways = { sh: 'curl', ts: 'TypeScript', svc: 'svc' } as const
type Way = keyof typeof ways

interface Ways {
  readonly type: 'ways'
  readonly raw: string
  readonly ordinal: number
  readonly blocks: readonly Tokens.Code[]
}

/** Blocks in these languages that follow each other are ways to do the same. */
function joinWays(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  let ordinal = 0
  for (let at = 0; at < tokens.length; ) {
    let end = at
    while (isWay(tokens[end]) || (end > at && tokens[end]?.type === 'space')) end++
    const blocks = tokens.slice(at, end).filter(isWay)
    if (blocks.length < 2) joined.push(tokens[at++] as Token)
    else {
      joined.push({ type: 'ways', raw: '', ordinal: ++ordinal, blocks } satisfies Ways)
      at = end
    }
  }
  return joined
}

const isWay = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && Object.hasOwn(ways, token.lang ?? '')

/** A choice that needs no script: the stylesheet shows what belongs to the checked one, or everything where it cannot. */
function drawWays(this: { parser: { parse(tokens: Token[]): string } }, token: object): string {
  const { blocks, ordinal } = token as Ways
  const choice = blocks.map(({ lang }, index) => {
    const checked = index === 0 ? ' checked' : ''
    return `<label><input type="radio" name="way-${ordinal}" value="${lang}"${checked}>${ways[lang as Way]}</label>`
  })
  const parts = blocks.map(block => `<div data-way="${block.lang}">${this.parser.parse([block])}</div>`)
  return `<fieldset class="ways"><legend class="unseen">Show as</legend><div class="choice">${choice.join('')}</div>\n${parts.join('\n')}</fieldset>\n`
}

const idOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
