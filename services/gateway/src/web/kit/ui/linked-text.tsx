/** Other people's text, in which web addresses become links. Everything else stays text. */
import { readableLines } from '@svc/contract/core/invisible'
import type { ComponentChildren } from 'preact'

const address = /https?:\/\/[^\s<>"'`]+/gi
const punctuation = /[.,;:!?。，、；：！？]/
/** A closing bracket belongs to the address if the address opened it. */
const brackets = ['()', '[]', '{}', '（）', '「」', '『』', '【】'].map(pair => [...pair] as [string, string])

export function LinkedText({ text }: { readonly text: string }) {
  const plain = readableLines(text)
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { 0: found, index } of plain.matchAll(address)) {
    const written = found.slice(0, endOf(found))
    const url = addressOf(written)
    if (!url) continue
    parts.push(plain.slice(at, index), <Link key={index} url={url} written={written} />)
    at = index + written.length
  }
  return <>{[...parts, plain.slice(at)]}</>
}

function endOf(found: string): number {
  const count = (sign: string) => found.split(sign).length - 1
  const unopened = new Map(brackets.map(([open, close]) => [close, count(close) - count(open)]))
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    const surplus = unopened.get(last) ?? 0
    if (surplus <= 0 && !punctuation.test(last)) break
    if (surplus > 0) unopened.set(last, surplus - 1)
  }
  return end
}

/** The host is shown as browsers resolve it: letters of another script may look like those of a bank. */
const Link = ({ url, written }: { readonly url: URL; readonly written: string }) => (
  <a href={url.href} rel="noopener noreferrer nofollow">
    {written.toLowerCase().includes(url.host) ? written : url.href}
  </a>
)

/** Not with a user: the part before the @ would be read as the host. */
function addressOf(written: string): URL | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined
  return url && url.username === '' && url.password === '' ? url : undefined
}
