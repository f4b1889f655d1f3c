/**
 * Text of others, made safe to print: what controls a terminal, or turns the direction of what follows, is shown as an
 * escape, so that a name can neither rewrite the screen nor break a line of a table.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
  text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped)

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (character: string) =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
