/**
 * Unruly characters affect a terminal, a line or the direction of writing; invisible ones include these and all
 * others that are not seen. Every rule about them uses the classes defined here.
 */

const outsideLines = String.raw`\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`
/** C0, DEL, C1, line separators and direction marks, for a character class. */
export const unruly = String.raw`\u0000-\u001f\u2028\u2029${outsideLines}`
export const unrulyInLines = String.raw`\u0000-\u0008\u000b-\u001f${outsideLines}`

const eachUnruly = new RegExp(`[${unruly}]`, 'g')

export const replaceUnruly = (text: string, by: (character: string) => string): string =>
  text.replace(eachUnruly, by)

export const escapeOf = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON with all unruly characters escaped, except for the line feeds of an indent. */
export const jsonToShow = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? '').replace(unrulyInJson, escapeOf)

const unrulyInJson = new RegExp(`[\\u2028\\u2029${outsideLines}]`, 'g')

const hidden = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}`
/** With their joiners and tags: families, professions, the flag of England. */
const wholeEmoji = String.raw`\p{RGI_Emoji}`
/** Not every keyboard writes them as Unicode recommends. */
const betweenEmoji = String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`
/** Compiled at the first use: reading all emoji takes 50 ms, a good part of a process's start. */
let emojiOrHidden: RegExp | undefined
/** U+FE0F stays, because it makes emoji of text characters; U+2800 is blank. */
const compile = () => new RegExp(`(?<emoji>${wholeEmoji}|${betweenEmoji})|${hidden}`, 'gv')
const printableAscii = /^[ -~]*$/
const joiner = /[\u200c\u200d]/

export function replaceInvisible(text: string, by: string): string {
  if (printableAscii.test(text)) return text
  emojiOrHidden ??= compile()
  return text.replace(emojiOrHidden, (found, ...rest) => {
    const { emoji } = rest.at(-1) as { emoji?: string }
    return emoji !== undefined || shapes(text, rest.at(-3) as number) ? found : by
  })
}

/** Text of several lines with invisible characters replaced by spaces, except for line feeds and tabs. */
export const readableLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/([\n\t])/)
    .map((part, at) => (at % 2 ? part : replaceInvisible(part, ' ')))
    .join('')

export function invisibleIn(text: string): string | undefined {
  const shown = replaceInvisible(text, '\0')
  const at = shown.indexOf('\0')
  // Nothing was replaced before that position.
  return at < 0 ? undefined : String.fromCodePoint(text.codePointAt(at) ?? 0)
}

export const showsNothing = (text: string): boolean => /^(\p{Z}|\ufe0f)*$/u.test(replaceInvisible(text, ''))

/**
 * Whether there is a joiner that its script needs (RFC 5892, A.1 and A.2), as in Persian and Hindi, where it shapes
 * the letters around it. The platform's IDNA knows the letters (UTS 46, CheckJoiners).
 */
function shapes(text: string, at: number): boolean {
  if (!joiner.test(text[at] ?? '')) return false
  const [before] = /\p{L}\p{M}*$/u.exec(text.slice(Math.max(0, at - 8), at)) ?? []
  const [after = ''] = /^\p{M}*\p{L}/u.exec(text.slice(at + 1, at + 9)) ?? []
  return before !== undefined && URL.canParse(`https://${before}${text[at]}${after}`)
}
