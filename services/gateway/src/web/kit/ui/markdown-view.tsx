/** Markdown that a seller wrote. It becomes elements of ours, never markup of its own: what is not listed here is left out. */
import { readableLines } from '@svc/contract/core/invisible'
import { type MarkdownToken, parseMarkdown } from '@svc/runtime/markdown'
import { type ComponentChild, h } from 'preact'
import { Icon } from './icon.tsx'

export const MarkdownView = ({ text }: { readonly text: string }) => (
  <div class="instructions">{elementsOf(parseMarkdown(readableLines(text)))}</div>
)

/** Renderers recurse, and thousands of asterisks nest as deep. */
const maxDepth = 40

interface Open {
  readonly token: MarkdownToken | undefined
  readonly children: ComponentChild[]
}

function elementsOf(tokens: readonly MarkdownToken[], depth = 0): ComponentChild[] {
  const all: ComponentChild[] = []
  const opened: Open[] = []
  for (const token of tokens) {
    const within = opened.at(-1)?.children ?? all
    if (token.nesting > 0) {
      const isTooDeep = depth + opened.length >= maxDepth
      opened.push(isTooDeep ? { token: undefined, children: within } : { token, children: [] })
    } else if (token.nesting < 0) {
      const closed = opened.pop()
      if (closed?.token) (opened.at(-1)?.children ?? all).push(elementOf(closed.token, closed.children))
    } else {
      within.push(leafOf(token, depth + opened.length))
    }
  }
  return all
}

const plain = new Set(['p', 'em', 'strong', 'ul', 'ol', 'li', 'blockquote'])

function elementOf(token: MarkdownToken, children: ComponentChild[]): ComponentChild {
  const { type, tag, hidden } = token
  if (type === 'heading_open') return <h3>{children}</h3>
  if (type === 'link_open') return linkOf(String(token.attrGet('href')), children)
  if (tag === 'ol') return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
  return plain.has(tag) && !hidden ? h(tag, null, ...children) : children
}

function leafOf({ type, content, children }: MarkdownToken, depth: number): ComponentChild {
  switch (type) {
    case 'inline':
      return <>{elementsOf(children ?? [], depth)}</>
    case 'text':
    case 'text_special':
      return content
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'code_inline':
      return <code>{content}</code>
    case 'code_block':
    case 'fence':
      return content.trim() === '' ? null : <Code text={content.replace(/\n$/, '')} />
    case 'hr':
      return <hr />
    default:
      return null
  }
}

/** A name before the host would be read as the host. */
function linkOf(href: string, children: ComponentChild[]) {
  const url = URL.canParse(href) ? new URL(href) : undefined
  const isSafe = url && /^(https?|mailto):$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isSafe) return <>{children}</>
  return (
    <a href={url.href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

interface CodeProps {
  readonly text: string
  readonly label?: string
}

export const Code = ({ text, label = 'Copy' }: CodeProps) => (
  <div class="command-line">
    <pre>{text}</pre>
    <button type="button" class="copy" data-copy={text} hidden>
      <Icon name="copy" />
      <span class="unseen">{label}</span>
    </button>
  </div>
)
