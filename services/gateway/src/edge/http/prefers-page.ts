/**
 * Whether an `Accept` asks for a page: it lists HTML, and JSON with no more weight (RFC 9110, 12.5.1). Browsers do
 * so for navigation; programs send none, JSON, or a star.
 */
export function prefersPage(accept = ''): boolean {
  const page = weightOf('text/html', accept)
  return page > 0 && page >= weightOf('application/json', accept)
}

function weightOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map(part => part.trim())
    if (name !== type) continue
    const weight = parameters.find(one => one.startsWith('q='))
    return weight ? Number(weight.slice(2)) : 1
  }
  return 0
}
