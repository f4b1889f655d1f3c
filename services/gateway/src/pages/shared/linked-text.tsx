/** Text of somebody else in which web addresses become links. Everything in it stays text. */
import type { ComponentChildren } from 'preact'

const address = /https?:\/\/[^\s<>"'`]+/gi
/** Ends the sentence, and not the address. */
const afterwards = /[.,;:!?)\]}]+$/

export function LinkedText({ text }: { readonly text: string }) {
  const plain = readable(text)
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { 0: found, index } of plain.matchAll(address)) {
    const written = found.replace(afterwards, '')
    const url = addressOf(written)
    if (!url) continue
    parts.push(plain.slice(at, index), <Link key={index} url={url} written={written} />)
    at = index + written.length
  }
  return <>{[...parts, plain.slice(at)]}</>
}

/** The host is shown as browsers resolve it: letters of another script may look like those of a bank. */
const Link = ({ url, written }: { readonly url: URL; readonly written: string }) => (
  <a href={url.href} rel="noopener noreferrer nofollow">
    {written.toLowerCase().includes(url.host) ? written : url.href}
  </a>
)

/** None with a user: what stands before the @ is read as the host. */
function addressOf(written: string): URL | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined
  return url && url.username === '' && url.password === '' ? url : undefined
}

/** Without what is invisible or changes the direction of writing. */
const readable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, ' ')
