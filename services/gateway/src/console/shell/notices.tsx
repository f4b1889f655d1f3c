/** What was done, above the page that it led to. The address names it; what is unknown says nothing. */
import type { Scene } from './scene.ts'
import { article } from '../ui/words.ts'

const texts: Readonly<Record<string, string>> = {
  created: 'Created.',
  saved: 'Saved.',
  deleted: 'Deleted.',
  revoked: 'Revoked. It is refused from now on.',
  removed: 'Removed.',
  invited: 'Invited. They will get an email with the link.',
  uninvited: 'The invitation is withdrawn.',
  ended: 'Ended.',
  paused: 'Paused. Events are kept, and sent after it is resumed.',
  resumed: 'Resumed. What happened meanwhile is sent first.',
  tested: 'A test event is on its way. Reload the page to see what became of it.',
  redelivered: 'It is being sent once more. Reload the page to see what became of it.',
  activated: 'Active: offers that are made from now on get these terms.',
  compared: 'Another policy has become active since you opened the page. Compare again.',
  moved: 'Moved: offers that name no version get this one from now on.',
}

export function Notice({ scene: { query, member, workspace } }: { readonly scene: Scene }) {
  const name = query.get('notice') ?? ''
  if (name === 'joined') {
    return (
      <p class="notice" role="status">
        You joined <strong class="long">{workspace.name}</strong> as {article(member.role)}.
      </p>
    )
  }
  return Object.hasOwn(texts, name) ? (
    <p class="notice" role="status">
      {texts[name]}
    </p>
  ) : null
}
