/** What is not seen in a text, or changes how its neighbours are: it hides or reverses what people read. */

const hidden = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}`
/** With the joiners and tags within: families, professions, the flag of England. */
const wholeEmoji = String.raw`\p{RGI_Emoji}`
/** Not every keyboard writes them as Unicode recommends. */
const betweenEmoji = String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`
/** Made at the first use: to read all emoji takes 50 ms, a good part of what a process does before it is ready. */
let emojiOrHidden: RegExp | undefined
/** U+FE0F stays, which makes signs of text into emoji; U+2800 is blank. */
const compile = () => new RegExp(`(?<emoji>${wholeEmoji}|${betweenEmoji})|${hidden}`, 'gv')
const printableAscii = /^[ -~]*$/
const joiner = /[\u200c\u200d]/

/** The text with `by` in place of each character that is not seen. Line breaks and tabs are among them. */
export function replaceInvisible(text: string, by: string): string {
  if (printableAscii.test(text)) return text
  emojiOrHidden ??= compile()
  return text.replace(emojiOrHidden, (found, ...rest) => {
    const { emoji } = rest.at(-1) as { emoji?: string }
    return emoji !== undefined || shapes(text, rest.at(-3) as number) ? found : by
  })
}

export const hasInvisible = (text: string): boolean => replaceInvisible(text, '\0').includes('\0')

/**
 * Whether there is a joiner that its script needs (RFC 5892, A.1 and A.2), as in Persian and Hindi: there it is seen in the
 * letters around it. The platform's IDNA knows the letters (UTS 46, CheckJoiners).
 */
function shapes(text: string, at: number): boolean {
  if (!joiner.test(text[at] ?? '')) return false
  const [before] = /\p{L}\p{M}*$/u.exec(text.slice(Math.max(0, at - 8), at)) ?? []
  const [after = ''] = /^\p{M}*\p{L}/u.exec(text.slice(at + 1, at + 9)) ?? []
  return before !== undefined && URL.canParse(`https://${before}${text[at]}${after}`)
}
