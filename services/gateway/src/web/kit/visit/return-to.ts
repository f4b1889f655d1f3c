/**
 * The target after signing in: a plain path of this site. Everything else, and everything that browsers may read
 * differently, leads home.
 */
export function returnTo(wanted: string | null | undefined): string {
  if (!wanted || !plainPath.test(wanted) || !URL.canParse(wanted, base)) return home
  // Browsers neither decode nor drop any remaining character; dots and slashes may still be read as another path.
  const { pathname, search } = new URL(wanted, base)
  return pathname + search === wanted && !pathname.includes('//') ? wanted : home
}

export const home = '/'

export const signInPath = (path: string, notice?: string): string =>
  `/sign-in?${new URLSearchParams({ ...(notice && { notice }), return_to: path })}`

export const linkPath = (page: '/sign-up' | '/forgot-password', path: string): string =>
  path === home ? page : `${page}?${new URLSearchParams({ return_to: path })}`

const base = 'http://own.invalid'
const plainPath = /^\/[A-Za-z0-9_.~/-]*(\?[A-Za-z0-9_.~=&-]*)?$/
