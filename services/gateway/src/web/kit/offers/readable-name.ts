/** Keys of a seller's schema as people read them. */

const longest = 100
const abbreviations = new Set(['api', 'cpu', 'dns', 'id', 'ip', 'ram', 'ssh', 'tls', 'uri', 'url', 'vat'])

/**
 * `companyName`, `company_name` and `company-name` are “Company name”. What is no identifier was written for people
 * already, and stays.
 */
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

/** The title of a schema where it has one, which `text` then is; otherwise `text` is made of its key. */
export const labelText = ({ title }: { readonly title?: unknown }, text: string): string =>
  title ? text : readableName(text)
