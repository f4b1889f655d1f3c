import { Empty, PageHead } from '../../kit/ui/parts.tsx'
import { ConsolePage } from './console-page.tsx'
import type { Scene } from './scene.ts'

export const searchedNothing = (scene: Scene, wanted: string) => (
  <ConsolePage scene={scene} title="Search">
    <PageHead title="Search" />
    <Empty icon="search" title={wanted ? `No results for “${wanted}”` : 'What are you looking for?'}>
      Paste an ID such as <code>offer_…</code>, <code>order_…</code> or <code>tok_…</code>, the reference of
      one of the newest orders, or the link of an offer.
    </Empty>
  </ConsolePage>
)
