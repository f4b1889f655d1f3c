import { Empty, PageHead } from '../ui/parts.tsx'
import { ConsolePage } from './console-page.tsx'
import type { Scene } from './scene.ts'

export const searchedNothing = (scene: Scene, wanted: string) => (
  <ConsolePage scene={scene} title="Open by id">
    <PageHead title="Open by id" />
    <Empty icon="search" title={wanted ? 'This is not an id that has a page' : 'Enter an id'}>
      Ids begin with what they are of, such as <code>offer_</code>, <code>order_</code>, <code>inst_</code>,{' '}
      <code>tok_</code> or <code>evt_</code>. The link of an offer leads to its page for customers.
    </Empty>
  </ConsolePage>
)
