import { escapeOf, replaceUnruly } from '@svc/contract/core/invisible'

/**
 * Makes other people's text safe to print: terminal control and direction characters become escapes, so that a name
 * can neither rewrite the screen nor break a table.
 */
export const printable = (text: string): string => replaceUnruly(text, escaped)

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (character: string) => short[character] ?? escapeOf(character)
