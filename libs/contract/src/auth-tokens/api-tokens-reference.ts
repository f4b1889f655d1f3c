/** What the OpenAPI document says of API tokens. */
import type { Reference } from '../openapi/operation-reference.ts'

export const apiTokensReference = {
  create_api_token: {
    command: {
      name: 'tokens create',
      help: 'Create an API token; its secret is shown only once.',
      options: {
        expires_at: { help: 'When it expires (default: never).' },
        ends_with_creator: { help: 'Revoke it when you leave the workspace or are removed.' },
      },
      examples: [
        'tokens create --name ci --expires-at 90d',
        'tokens create --name deploy --expires-at 2999-12-31 --json',
        'tokens create --name laptop --ends-with-creator',
      ],
    },
    page: '/tokens/new',
    group: 'API tokens',
    description:
      'The secret is returned here and nowhere else. The token acts in this workspace only, as a `member`. It remains valid when its creator leaves, unless `ends_with_creator` is true: then it is refused as soon as the membership ends, even if the person rejoins later. A repetition with the same `Idempotency-Key` is refused: `metadata.id` names the token.',
    codes: ['key_reused', 'already_created', 'time_in_past', 'quota_exceeded'],
  },
  list_api_tokens: {
    command: {
      name: 'tokens list',
      options: {
        ends_before: { help: 'Only those that end before it, such as 7d from now.' },
        unused_since: { help: 'Only those made before it and not used since.' },
      },
    },
    page: '/tokens',
    group: 'API tokens',
    description:
      'Newest first, without their secrets. Owners and admins see who created each, and whether that person is still a member. With both `ends_before` and `unused_since`, those for which both hold.',
  },
  rotate_api_token: {
    command: {
      name: 'tokens rotate',
      help: 'Create a new secret for an API token; it is shown only once.',
      options: {
        grace_seconds: { help: 'How long the old secret stays valid, such as 1h (default: not at all).' },
      },
      examples: ['tokens rotate tok_01h455vb4pex5vsknk084sn02q --grace 1h'],
    },
    page: '/tokens/:id/rotate',
    group: 'API tokens',
    description:
      'The token keeps its id, name and expiry. The old secret is refused as soon as this call returns, or stays valid for `grace_seconds`, at most a week. Any earlier secret is refused at once.',
  },
  revoke_api_token: {
    command: {
      name: 'tokens revoke',
      help: 'Revoke an API token; it is refused from then on.',
      ids: { id: 'tok_…' },
    },
    page: '/tokens/:id/revoke',
    group: 'API tokens',
    description:
      'The token is deleted, and refused everywhere as soon as this call returns. It cannot be recovered: a second call returns 404.',
  },
} as const satisfies Record<string, Reference>
