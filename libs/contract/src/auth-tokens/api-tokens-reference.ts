/** What the OpenAPI document says of API tokens. */
import type { Reference } from '../openapi/operation-reference.ts'

export const apiTokensReference = {
  create_api_token: {
    group: 'API tokens',
    description:
      'The secret is returned here and nowhere else. The token acts in this workspace only, as a `member`. It remains valid when its creator leaves, unless `ends_with_creator` is true: then it is refused as soon as the membership ends, even if the person rejoins later. A repetition with the same `Idempotency-Key` is refused: `metadata.id` names the token.',
    codes: ['key_reused', 'already_created', 'time_in_past', 'quota_exceeded'],
  },
  list_api_tokens: {
    group: 'API tokens',
    description:
      'Newest first, without their secrets. Owners and admins see who created each, and whether that person is still a member. With both `ends_before` and `unused_since`, those for which both hold.',
  },
  rotate_api_token: {
    group: 'API tokens',
    description:
      'The token keeps its id, name and expiry. The old secret is refused as soon as this call returns, or stays valid for `grace_seconds`, at most a week. Any earlier secret is refused at once.',
  },
  revoke_api_token: {
    group: 'API tokens',
    description:
      'The token is deleted, and refused everywhere as soon as this call returns. It cannot be recovered: a second call returns 404.',
  },
} as const satisfies Record<string, Reference>
