/** The routes of the console as the gateway registers them, so that no test forgets a new one. */
import type { FastifyInstance } from 'fastify'
import { consoleRoutes } from '../../../src/web/console/routes.ts'
import type { Filled } from './filled-workspace.ts'

const registered = { get: [] as string[], post: [] as string[] }
const app = {
  get: (path: string) => registered.get.push(path),
  post: (path: string) => registered.post.push(path),
}
consoleRoutes(app as unknown as FastifyInstance, {} as Parameters<typeof consoleRoutes>[1])

const prefix = '/console/:workspace'
const belowRoot = (paths: readonly string[]) =>
  paths.filter(path => path.startsWith(prefix)).map(path => path.slice(prefix.length))

/** Below the workspace's root, with parameters as fastify has them. */
export const pagePaths = belowRoot(registered.get)
export const formPaths = belowRoot(registered.post)

/** With the ids of that workspace. */
export function filledIn(path: string, ids: Filled['ids']): string {
  const [, kind = ''] =
    /^\/(?:members\/(?=invitations))?((?:catalogue\/|tokens\/(?=ci))?[a-z]+)/.exec(path) ?? []
  const id = ids[kind]
  if (path.includes(':') && !id) throw new Error(`Nothing is known to open ${path} with`)
  return path
    .replace(':delivery_id', ids.delivery ?? '')
    .replace(/:(user_)?id/, id ?? '')
    .replace(':number', '2')
}
