import { refusal } from '@svc/contract/core/errors'
import type { Operation } from '@svc/contract/core/operation'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { attempt } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { crumbsOf } from './crumbs.ts'
import { shownName } from './names.ts'

interface Deletion {
  readonly kind: 'products' | 'packages' | 'channels'
  readonly operation: Operation
  readonly consequence: string
  read(scene: Scene): Promise<{ readonly id: string; readonly name: string }>
  remove(scene: Scene): Promise<unknown>
}

export function deletePages(
  { get, post }: ConsolePages,
  { kind, operation, consequence, read, remove }: Deletion,
) {
  const path = `/catalogue/${kind}/:id/delete`

  get(path, async scene => {
    if (!scene.may(operation)) throw refusal('role_too_low')
    return scene.show(await page(scene))
  })

  post(path, async scene => {
    const sent = await attempt([], () => remove(scene))
    if ('done' in sent)
      return scene.go(kind === 'products' ? '/catalogue' : `/catalogue?kind=${kind}`, 'deleted')
    return scene.show(await page(scene, sent.refused.problems['']), sent.refused.status)
  })

  async function page(scene: Scene, problem?: string) {
    const { id, ...found } = await read(scene)
    const name = shownName({ id, name: found.name })
    const own = `/catalogue/${kind}/${id}`
    return (
      <ConfirmPage
        scene={scene}
        part="/catalogue"
        crumbs={crumbsOf(kind, { label: name, path: own })}
        question={`Delete “${name}”?`}
        consequence={<p>{consequence} This can’t be undone.</p>}
        button="Delete"
        action={`${own}/delete`}
        back={own}
        problem={problem}
        call={callOf(scene, operation, { params: { id } })}
      />
    )
  }
}
