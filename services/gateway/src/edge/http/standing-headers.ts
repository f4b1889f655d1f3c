const twoYears = 2 * 365 * 24 * 60 * 60

/** RFC 6797; not over plain HTTP, where browsers ignore it. */
export const transportSecurity = (publicUrl: string) =>
  publicUrl.startsWith('https:') && { maxAge: twoYears, includeSubDomains: false }

export function standingHeaders(publicUrl: string): Record<string, string> {
  const transport = transportSecurity(publicUrl)
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(transport && { 'Strict-Transport-Security': `max-age=${transport.maxAge}` }),
  }
}
