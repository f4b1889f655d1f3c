import { allMatchKinds, type Match, type MatchKind } from '@svc/contract/core/matches'
import { Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { ConsolePage } from './console-page.tsx'
import type { Scene } from './scene.ts'

export interface Results {
  readonly wanted: string
  readonly found: readonly (Match & { readonly path: string })[]
  readonly more: readonly MatchKind[]
  readonly unsearched: readonly MatchKind[]
}

interface ResultsProps {
  readonly scene: Scene
  readonly results: Results
}

const lists: Readonly<Record<MatchKind, readonly [title: string, path: string]>> = {
  product: ['Products', '/catalogue'],
  package: ['Packages', '/catalogue?kind=packages'],
  offer: ['Offers', '/offers'],
  order: ['Orders', '/orders'],
  install: ['Installs', '/installs'],
  cluster: ['Clusters', '/clusters'],
  api_token: ['API tokens', '/tokens'],
  member: ['Members', '/members'],
  webhook_endpoint: ['Webhooks', '/webhooks'],
}

export const SearchPage = ({ scene, results }: ResultsProps) => (
  <ConsolePage scene={scene} title="Search" searched={results.wanted}>
    <PageHead title={`Results for “${results.wanted}”`} />
    {results.unsearched.length > 0 && (
      <p class="warning">
        {titlesOf(results.unsearched)} can’t be searched right now. Try again in a few seconds.
      </p>
    )}
    {allMatchKinds.map(kind => (
      <OfKind key={kind} scene={scene} results={results} kind={kind} />
    ))}
  </ConsolePage>
)

function OfKind({ scene: { root }, results, kind }: ResultsProps & { readonly kind: MatchKind }) {
  const found = results.found.filter(one => one.kind === kind)
  if (found.length === 0) return null
  const [title, path] = lists[kind]
  const filter =
    kind === 'offer' || kind === 'order' ? `?${new URLSearchParams({ text: results.wanted })}` : ''
  const all = results.more.includes(kind) && <a href={root + path + filter}>View all</a>
  return (
    <Card name={kind} title={title} actions={all}>
      <ul class="found">
        {found.map(({ id, path, name, detail }) => (
          <li key={id}>
            <a class="long" href={root + path}>
              {name}
            </a>
            {detail && <span class="hint long">{detail}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const titlesOf = (kinds: readonly MatchKind[]): string =>
  new Intl.ListFormat('en').format(kinds.map(kind => lists[kind][0]))

export const searchedNothing = (scene: Scene, wanted: string) => (
  <ConsolePage scene={scene} title="Search" searched={wanted}>
    <PageHead title="Search" />
    <Empty icon="search" title={wanted ? `No results for “${wanted}”` : 'What are you looking for?'}>
      Search by the beginning of a word: a product, customer, email address, order reference, cluster, token
      or note. You can also paste an ID such as <code>offer_…</code>, or the link of an offer.
    </Empty>
  </ConsolePage>
)
