const longest = 100
const abbreviations = new Set(['api', 'cpu', 'dns', 'id', 'ip', 'ram', 'ssh', 'tls', 'uri', 'url', 'vat'])

export function readableName(key: string): string {
  if (key.length > longest || !/^[A-Za-z][\w-]*$/.test(key)) return key
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
  const text = words
    .map(word => {
      const isAbbreviation = /^[A-Z]{2,}$/.test(word) || abbreviations.has(word.toLowerCase())
      return isAbbreviation ? word.toUpperCase() : word.toLowerCase()
    })
    .join(' ')
    .trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `text` is the schema's title if it has one, otherwise a key. */
export const labelText = ({ title }: { readonly title?: unknown }, text: string): string =>
  title ? text : readableName(text)
