/** A secret that is shown once. No URL leads to this page: it answers the form that created the secret. */
import type { ComponentChildren } from 'preact'
import { ConsolePage, type Crumb } from '../shell/console-page.tsx'
import type { PartPath } from '../shell/navigation.ts'
import type { Scene } from '../shell/scene.ts'
import { Copied, PageHead } from '../../kit/ui/parts.tsx'
import { StoredForm } from '../../kit/ui/stored-form.tsx'

interface SecretPageProps {
  readonly scene: Scene
  readonly part: PartPath
  readonly crumbs: readonly Crumb[]
  readonly title: string
  readonly secret: string
  readonly text: ComponentChildren
  readonly next: string
  readonly children?: ComponentChildren
}

export function SecretPage({ scene, part, crumbs, title, secret, text, next, children }: SecretPageProps) {
  const [path = '', anchor] = next.split('#')
  return (
    <ConsolePage scene={scene} title={title} part={part} crumbs={crumbs}>
      <PageHead title={title} />
      <div class="secret" role="status">
        <p>
          <strong>Copy it now.</strong> You won’t be able to see it again.
        </p>
        <Copied text={secret} label="Copy the secret" />
      </div>
      <p>{text}</p>
      {children}
      <StoredForm action={scene.root + path + (anchor ? `#${anchor}` : '')} text="I have stored it" />
    </ConsolePage>
  )
}
