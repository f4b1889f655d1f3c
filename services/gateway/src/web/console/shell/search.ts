import { offers } from '@svc/contract/offers/offers'
import type { ConsolePages, Scene } from './scene.ts'
import { searchedNothing } from './search-view.tsx'

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

export function pageOf(id: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Za-z_-]{1,90}$/.exec(id) ?? []
  return Object.hasOwn(pagesById, prefix) ? pagesById[prefix]?.(id) : undefined
}

const shortHash = /^[1-9A-HJ-NP-Za-km-z]{12}$/

export function searchPages({ get }: ConsolePages) {
  get('/search', async scene => {
    const wanted = (scene.query.get('q') ?? '').normalize('NFKC').trim()
    const path = pageOf(wanted) ?? pageOf(wanted.toLowerCase())
    if (path) return scene.go(path)
    const other = workspaceOf(wanted, scene)
    if (other) return scene.reply.redirect(`/console/${other}`, 303)
    // The link of an offer, or its last part.
    const [, hash = wanted] = /\/i\/([0-9A-Za-z]+)$/.exec(wanted) ?? []
    if (shortHash.test(hash)) return scene.reply.redirect(`/i/${hash}`, 303)
    const order = await orderNamed(wanted.toUpperCase(), scene)
    return order ? scene.go(`/orders/${order}`) : scene.show(searchedNothing(scene, wanted), 404)
  })
}

/** By reference, among the newest hundred orders of either side. */
async function orderNamed(reference: string, { invoke }: Scene): Promise<string | undefined> {
  if (!/^[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(reference)) return undefined
  const lists = await Promise.all(
    ['received', 'placed'].map(relation =>
      invoke(offers, 'list_orders', { query: { relation, limit: '100' } }),
    ),
  )
  return lists.flatMap(({ data }) => data).find(order => order.reference === reference)?.id
}

const workspaceOf = (id: string, { workspaces }: Scene) => workspaces.find(one => one.id === id)?.id
