/** The methods of a URL, for 405 (RFC 9110, 10.2.1 and 15.5.6) and for OPTIONS. */
import { refusal } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { similarRoute } from './similar-route.ts'

declare module 'fastify' {
  interface FastifyInstance {
    methodsAt(url: string): string[]
  }
}

/** Must be called before the routes are registered. */
export function rememberMethods(app: FastifyInstance) {
  const known: { path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ path: patternOf(url), methods: [method].flat() })
  })
  // A request gets here only if no route has its method, so the routes that its path matches are those of other methods.
  app.decorate('methodsAt', url => {
    const [path = ''] = url.split(/[?#]/)
    const found = known.filter(route => url === '*' || route.path.test(path))
    return [...new Set(found.flatMap(({ methods }) => methods))].sort()
  })
}

/** `:name` stands for one non-empty segment. The router also accepts an empty one, but no id is empty. */
const patternOf = (route: string) => new RegExp(`^${route.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)

/** Answers OPTIONS for a URL with other methods, although no route has it. */
export function answerOptions({ method, url, server }: FastifyRequest, reply: FastifyReply): boolean {
  const methods = method === 'OPTIONS' ? server.methodsAt(url) : []
  if (methods.length === 0) return false
  // RFC 9110, 9.3.7. No CORS headers: scripts of other sites have no access.
  reply.code(204).removeHeader('content-type').header('allow', allowed(methods)).send()
  return true
}

/** @throws ApiError always: 405 if the URL has other methods, otherwise 404 */
export function refuseUnknown({ method, url, server }: FastifyRequest): never {
  const methods = server.methodsAt(url)
  if (methods.length === 0) {
    const meant = similarRoute(url)
    throw refusal('unknown_route', meant ? { message: `There is no such route. Did you mean ${meant}?` } : {})
  }
  const allow = allowed(methods)
  throw refusal('method_not_allowed', {
    message: `This address does not take ${method}. Use one of: ${allow}.`,
    metadata: { allow },
    headers: { Allow: allow },
  })
}

const allowed = (methods: readonly string[]) => [...methods, 'OPTIONS'].join(', ')
