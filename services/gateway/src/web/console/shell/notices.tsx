/**
 * Confirms a step on the page that follows it. The URL names it; unknown names show nothing. The script removes the
 * name.
 */
import { Icon } from '../../kit/ui/icon.tsx'
import { article } from '../../kit/ui/words.ts'
import type { Scene } from './scene.ts'

const texts: Readonly<Record<string, string>> = {
  created: 'Created.',
  saved: 'Changes saved.',
  deleted: 'Deleted.',
  revoked: 'Revoked. It no longer works.',
  removed: 'Removed.',
  invited: 'Invitation sent.',
  uninvited: 'Invitation revoked.',
  paused: 'Endpoint paused. Events are queued until you resume it.',
  resumed: 'Endpoint resumed. Queued events are sent first.',
  tested: 'Test event sent.',
  redelivered: 'Resending.',
  rotated: 'Licences are signed with the new key from now on.',
  unlicensed: 'No licence: nothing is paid for this install at the moment.',
  activated: 'Terms activated. New offers use them.',
  compared: 'Other terms were activated since you opened this page. Review the changes again.',
  moved: 'Current version updated. New offers use it by default.',
}

const asks = new Set(['compared', 'unlicensed'])

export function Notice({ scene: { query, member, workspace } }: { readonly scene: Scene }) {
  const name = query.get('notice') ?? ''
  const text =
    name === 'joined' ? (
      <>
        You joined <strong class="long">{workspace.name}</strong> as {article(member.role)}.
      </>
    ) : Object.hasOwn(texts, name) ? (
      texts[name]
    ) : undefined
  return text ? (
    <div class={asks.has(name) ? 'flash asks' : 'flash'} role="status">
      <Icon name={asks.has(name) ? 'warning' : 'check'} />
      <p>{text}</p>
    </div>
  ) : null
}
