export interface MailParts {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly quote?: { readonly by: string; readonly text: string }
  readonly items: readonly { readonly text: string; readonly url: string }[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly after?: readonly string[]
  readonly why?: string
  /** Where mail of this kind is switched off; undefined: it cannot be. */
  readonly unsubscribe?: string
  readonly preferences?: string
}

/** The same content as the HTML, in the same order. */
export function mailText({ title, paragraphs, rows, quote, items, action, ...foot }: MailParts): string {
  const { why, unsubscribe, preferences } = foot
  const parts = [
    title,
    ...paragraphs,
    quote && `${quote.by}:\n${quote.text.replace(/^/gm, '> ')}`,
    rows.map(([label, value]) => `${label}: ${value}`).join('\n'),
    items.map(({ text, url }) => `- ${text}\n  ${url}`).join('\n'),
    action && `${action.label}:\n${action.url}`,
    why,
    unsubscribe && `Stop emails of this kind:\n${unsubscribe}`,
    preferences && `Choose what you get:\n${preferences}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}
