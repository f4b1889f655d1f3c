/**
 * Markdown that sellers write: a subset without HTML, images, tables and reference links. markdown-it and not the `marked` of the
 * guides, which needs long for some texts of 20,000 characters, and exhausts the stack on others.
 */
import MarkdownIt, { type Token } from 'markdown-it'

const markdown = new MarkdownIt({ maxNesting: 20 }).disable([
  ...['html_block', 'html_inline', 'image', 'reference', 'table', 'strikethrough'],
])

export type MarkdownToken = Token

export const parseMarkdown = (text: string): Token[] => markdown.parse(text, {})
