import topLevelDomains from 'tlds' with { type: 'json' }

/** RFC 6761 and others: some networks have hosts there. */
const specialDomains = ['example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']
const domains = new Set([...topLevelDomains, ...specialDomains])

/** A scheme, `www.`, or an IPv4 address with a port, path, query or fragment. */
const link = /:\/\/|(?<![\p{L}\p{M}\p{N}])www\.[\p{L}\p{N}]|(?<!\d)(?:\d{1,3}\.){3}\d{1,3}\.?[:/?#\\]\S/iu
/** A dotted word whose last label precedes a port, path, query or fragment. */
const dotted = /(?<=[^\s\p{P}])\.([\p{L}\p{M}\p{N}-]+)\.?[:/?#\\]\S/giu

/**
 * Whether mail programs would make a link of a part of `name`. A dotted word with a port, path, query or fragment
 * is an address if its last label is a top-level domain: `evil.io/x` is one, `Node.js/React` is not. A dotted word
 * without them is not: companies are called Booking.com, and the mail templates prevent links there.
 */
export function hasWebAddress(name: string): boolean {
  // Mail programs treat full-width letters and ideographic full stops as the ASCII ones.
  const plain = name
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  if (link.test(plain)) return true
  return [...plain.matchAll(dotted)].some(
    ([, last = '']) => domains.has(last.toLowerCase()) || /^xn--/i.test(last),
  )
}
