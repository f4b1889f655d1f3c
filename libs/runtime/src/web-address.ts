/** Web addresses in names that other people read in mail. */
import topLevelDomains from 'tlds' with { type: 'json' }

/** RFC 6761 and others: some networks have hosts there. */
const specialDomains = ['example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']
const domains = new Set([...topLevelDomains, ...specialDomains])

/** A scheme, `www.`, or an IPv4 address with a port, path, query or fragment. */
const link = /:\/\/|(?<![\p{L}\p{M}\p{N}])www\.[\p{L}\p{N}]|(?<!\d)(?:\d{1,3}\.){3}\d{1,3}\.?[:/?#\\]\S/iu
/** The end of a dotted word that one of these follows. */
const dotted = /(?<=[^\s\p{P}])\.([\p{L}\p{M}\p{N}-]+)\.?[:/?#\\]\S/giu

/**
 * Whether mail programs would make a link of a part of `name`. A dotted word with a port, path, query or fragment is an
 * address where the Internet has its last label: `evil.io/x` is one, `Node.js/React` is none. A dotted word alone is none,
 * either: companies are called Booking.com, and what mail programs make of that is prevented where mail is written.
 */
export function hasWebAddress(name: string): boolean {
  // As those read it who take full-width letters and ideographic full stops for what they look like.
  const plain = name
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  if (link.test(plain)) return true
  return [...plain.matchAll(dotted)].some(
    ([, last = '']) => domains.has(last.toLowerCase()) || /^xn--/i.test(last),
  )
}
