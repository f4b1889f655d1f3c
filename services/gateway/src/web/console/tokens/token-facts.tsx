/** What the list and the page of a token say alike. */
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { Badge } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'

interface TokenProps {
  readonly scene: Scene
  readonly token: Item<'list_api_tokens'>
}

export const LastUse = ({ scene, token: { last_used_at, stale } }: TokenProps) => (
  <>
    <When at={last_used_at} now={scene.now} none="Never" />{' '}
    {stale && <Badge look="waits">Unused for a year</Badge>}
  </>
)

export const OldSecret = ({ scene, token: { id, previous_expires_at } }: TokenProps) =>
  previous_expires_at === null ? null : (
    <p class="hint">
      Old secret works until <When at={previous_expires_at} now={scene.now} />
      {scene.may(authTokens.operations.end_previous_secret) && (
        <span class="actions">
          <a href={`${scene.root}/tokens/${id}/end-previous`}>End now</a>
        </span>
      )}
    </p>
  )

export const Creator = ({
  token: { creator_email, creator_is_member, created_by },
}: Pick<TokenProps, 'token'>) =>
  creator_email === undefined ? (
    <code>{created_by ?? 'System'}</code>
  ) : (
    <>
      {creator_email ?? 'System'}{' '}
      {creator_is_member === false && <Badge look="waits">No longer a member</Badge>}
    </>
  )
