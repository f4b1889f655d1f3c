import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { crumbsOf } from './crumbs.ts'

interface FirstNeededProps {
  readonly scene: Scene
  readonly title: string
  readonly kind: 'products' | 'channels'
  readonly needed: 'package' | 'product'
  readonly text: string
}

export const FirstNeeded = ({ scene, title, kind, needed, text }: FirstNeededProps) => (
  <ConsolePage scene={scene} title={title} part="/catalogue" crumbs={crumbsOf(kind)}>
    <PageHead title={title} />
    <Card name="first">
      <Empty
        icon="book"
        title={`No ${needed}s yet`}
        action={{ href: `${scene.root}/catalogue/${needed}s/new`, label: `Create your first ${needed}` }}
      >
        {text}
      </Empty>
    </Card>
  </ConsolePage>
)
