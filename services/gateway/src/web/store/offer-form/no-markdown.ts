/** In place of the library's renderer for descriptions in Markdown: what sellers write is text. */
import type { ComponentChildren } from 'preact'

export const Markdown = ({ children }: { children?: ComponentChildren }): ComponentChildren => children
export default Markdown
