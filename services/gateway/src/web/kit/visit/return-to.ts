/**
 * Where to go after signing in: a path of this site, plainly written. Everything else, and everything that one browser
 * reads in another way than another, leads home.
 */
export function returnTo(wanted: string | null | undefined): string {
  if (!wanted || !plainPath.test(wanted) || !URL.canParse(wanted, base)) return home
  // No letter of what is left is decoded or dropped by a browser; dots and slashes may still be read as another path.
  const { pathname, search } = new URL(wanted, base)
  return pathname + search === wanted && !pathname.includes('//') ? wanted : home
}

/** The console, or whatever else is the first to be seen. */
export const home = '/'

/** The path of the sign-in page that leads to `path` afterwards. */
export const signInPath = (path: string, notice?: string): string =>
  `/sign-in?${new URLSearchParams({ ...(notice && { notice }), return_to: path })}`

/** The page that mails a link: to who has no account yet, or has forgotten the password. Leads to `path` afterwards. */
export const linkPath = (page: '/sign-up' | '/forgot-password', path: string): string =>
  path === home ? page : `${page}?${new URLSearchParams({ return_to: path })}`

const base = 'http://own.invalid'
const plainPath = /^\/[A-Za-z0-9_.~/-]*(\?[A-Za-z0-9_.~=&-]*)?$/
