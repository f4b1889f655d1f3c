import { root } from '@svc/contract/core/root'
import { similarName } from '@svc/contract/core/similar-name'
import { operations } from '@svc/contract/services'

const paths = operations.flatMap(({ operation: { http } }) => (http ? [root + http.path] : []))
const routes = [...new Set(paths)].map(path => path.slice(1).split('/'))
const [version = ''] = root.slice(1).split('/')

const maxLength = 200

/**
 * The route that an unknown path probably means: one part of it is misspelled, or the root is missing. Parts are
 * compared with those that may follow there, since the path comes from a stranger and this must stay cheap.
 */
export function similarRoute(url: string): string | undefined {
  if (url.length > maxLength) return undefined
  const [path = ''] = url.split(/[?#]/, 1)
  const parts = path.split('/').filter(part => part !== '')
  const given = parts[0] === version ? parts : [version, ...parts]
  let left = routes.filter(route => route.length === given.length)
  let isCorrected = false
  for (const [at, part] of given.entries()) {
    const names = new Set(left.flatMap(route => route[at] ?? []))
    const similar: string | undefined =
      names.has(part) || isCorrected ? undefined : similarName(part, [...names].filter(isName))
    if (similar) isCorrected = true
    const named = left.filter(route => route[at] === (similar ?? part))
    left = named.length > 0 ? named : left.filter(route => !isName(route[at] ?? ''))
  }
  return left[0] && `/${left[0].join('/')}`
}

const isName = (part: string) => !part.startsWith('{')
