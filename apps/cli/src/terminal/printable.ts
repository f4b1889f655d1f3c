import { escapeOf, replaceUnruly } from '@svc/contract/core/invisible'

/**
 * Text of others, made safe to print: what controls a terminal, or turns the direction of what follows, is shown as an
 * escape, so that a name can neither rewrite the screen nor break a line of a table.
 */
export const printable = (text: string): string => replaceUnruly(text, escaped)

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (character: string) => short[character] ?? escapeOf(character)
