import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ConsolePages, Scene } from './scene.ts'
import { SearchPage, searchedNothing } from './search-view.tsx'

const pagesById: Readonly<Record<string, (id: string) => string>> = {
  offer: id => `/offers/${id}`,
  order: id => `/orders/${id}`,
  inst: id => `/installs/${id}`,
  pkg: id => `/catalogue/packages/${id}`,
  pkgv: id => `/catalogue/versions/${id}`,
  prod: id => `/catalogue/products/${id}`,
  och: id => `/catalogue/channels/${id}`,
  clus: id => `/clusters/${id}`,
  tok: id => `/tokens/${id}`,
  trust: () => '/tokens/ci',
  run: () => '/tokens/ci',
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
    const wanted = (scene.query.get('q') ?? '').normalize('NFKC').replace(/\p{C}/gu, ' ').trim()
    const path = pageOf(wanted) ?? pageOf(wanted.toLowerCase())
    if (path) return scene.go(path)
    const other = workspaceOf(wanted, scene)
    if (other) return scene.reply.redirect(`/console/${other}`, 303)
    const [, hash] = /\/i\/([0-9A-Za-z]+)$/.exec(wanted) ?? []
    return hash ? scene.reply.redirect(`/i/${hash}`, 303) : showFound(scene, wanted)
  })
}

async function showFound(scene: Scene, wanted: string) {
  const q = [...wanted].slice(0, 100).join('')
  if (!q) return scene.show(searchedNothing(scene, ''))
  const { data, more, unsearched } = await scene.invoke(authTokens, 'search_resources', { query: { q } })
  const [only] = data.filter(({ kind }) => kind !== 'install')
  // The whole reference of an order leads to it.
  if (only?.kind === 'order' && only.name === wanted.toUpperCase()) return scene.go(`/orders/${only.id}`)
  // The last part of an offer's link, if it is no word.
  if (data.length === 0 && shortHash.test(wanted)) return scene.reply.redirect(`/i/${wanted}`, 303)
  if (data.length + unsearched.length === 0) return scene.show(searchedNothing(scene, wanted), 404)
  const found = data.map(one => ({ ...one, path: pageOf(one.id) ?? '' }))
  return scene.show(SearchPage({ scene, results: { wanted, found, more, unsearched } }))
}

const workspaceOf = (id: string, { workspaces }: Scene) => workspaces.find(one => one.id === id)?.id
