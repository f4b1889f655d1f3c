/** Of a workspace's own pages: what is not there, or not permitted, in the shell that leads elsewhere. */
import type { ApiError } from '@svc/contract/core/errors'
import { article } from '../ui/words.ts'
import { ConsolePage } from './console-page.tsx'
import type { Scene } from './scene.ts'

export function RefusedPage({ scene, refused }: { readonly scene: Scene; readonly refused: ApiError }) {
  const missing = refused.status === 404
  const title = missing ? 'Not found' : 'Not allowed'
  return (
    <ConsolePage scene={scene} title={title}>
      <h1>{title}</h1>
      {missing ? (
        <p>
          There is nothing at this address in <strong class="long">{scene.workspace.name}</strong>. It may
          have been deleted, or it belongs to another workspace.
        </p>
      ) : (
        <p>
          {refused.message} You are {article(scene.member.role)} of this workspace
          {scene.member.role === 'owner'
            ? '.'
            : `: ask ${scene.member.role === 'admin' ? 'an owner' : 'an owner or an admin'}.`}
        </p>
      )}
      <p class="actions">
        <a class="button second" href={scene.root}>
          Go to the workspace’s home
        </a>
      </p>
      <p class="hint">
        Request <code class="long">{scene.request.id}</code>
      </p>
    </ConsolePage>
  )
}
