import stringWidth from 'fast-string-width'

const segmenter = new Intl.Segmenter()

/** Columns that the text takes on a terminal. */
export const widthOf = (text: string): number => stringWidth(text)

/** The text, cut with an ellipsis where it takes more than `width` columns. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return `${wrap(text, Math.max(1, width - 1))[0] ?? ''}…`
}

/** The text in pieces that take at most `width` columns each; no character is torn. */
export function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const { segment } of segmenter.segment(text)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && widthOf(line + segment) > width) lines.push(segment)
    else lines[lines.length - 1] = line + segment
  }
  return lines
}
