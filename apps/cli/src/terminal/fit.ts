import stringWidth from 'fast-string-width'

const segmenter = new Intl.Segmenter()

export const widthOf = (text: string): number => stringWidth(text)

export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return `${wrap(text, Math.max(1, width - 1))[0] ?? ''}…`
}

/** Splits the text into pieces of at most `width` columns, without splitting characters. */
export function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const { segment } of segmenter.segment(text)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && widthOf(line + segment) > width) lines.push(segment)
    else lines[lines.length - 1] = line + segment
  }
  return lines
}
