/** Any id leads to its page. */
import type { ConsolePages, Scene } from './scene.ts'
import { searchedNothing } from './search-view.tsx'

/** Where the object with an id of this prefix is shown, below the workspace's root. */
const pagesById: Readonly<Record<string, (id: string) => string>> = {
  offer: id => `/offers/${id}`,
  order: id => `/orders/${id}`,
  inst: id => `/installs/${id}`,
  pkg: id => `/catalogue/packages/${id}`,
  pkgv: id => `/catalogue/versions/${id}`,
  prod: id => `/catalogue/products/${id}`,
  och: id => `/catalogue/channels/${id}`,
  clus: id => `/clusters/${id}`,
  tok: id => `/tokens?id=${id}`,
  whe: id => `/webhooks/${id}`,
  evt: id => `/activity/${id}`,
  user: id => `/members?id=${id}`,
  inv: id => `/members?id=${id}`,
  sess: id => `/sessions?id=${id}`,
}

/** The page of an object of the workspace; undefined for what has none. */
export function pageOf(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Za-z_-]{1,90}$/.exec(id) ?? []
  return Object.hasOwn(pagesById, prefix) ? pagesById[prefix]?.(id) : undefined
}

export function searchPages({ get }: ConsolePages) {
  get('/search', async scene => {
    const wanted = (scene.query.get('q') ?? '').trim()
    const path = pageOf(wanted)
    if (path) return scene.go(path)
    const other = workspaceOf(wanted, scene)
    if (other) return scene.reply.redirect(`/console/${other}`, 303)
    // A link of an offer, or the end of one.
    const [, hash] = /(?:^|\/i\/)([0-9A-Za-z]{6,40})$/.exec(wanted) ?? []
    if (hash) return scene.reply.redirect(`/i/${hash}`, 303)
    return scene.show(searchedNothing(scene, wanted), 404)
  })
}

const workspaceOf = (id: string, { workspaces }: Scene) => workspaces.find(one => one.id === id)?.id
