import type { ComponentChildren } from 'preact'

export const Markdown = ({ children }: { children?: ComponentChildren }): ComponentChildren => children
export default Markdown
