/** What the OpenAPI document says of installs. */
import type { Reference } from '../openapi/operation-reference.ts'

export const installsReference = {
  list_installs: {
    command: {
      name: 'installs list',
      examples: ['installs list --relation sold --all'],
      columns: ['id', 'state', 'offer_id', 'cluster_id', 'created_at'],
    },
    page: '/installs',
    group: 'Installs',
    description:
      'Newest first. `relation` chooses the side: `owned` by this workspace, or `sold` to others. A page may be shorter than `limit` without being the last.',
  },
  get_install: {
    command: 'installs get',
    page: '/installs/:id',
    group: 'Installs',
    description: 'Both sides of an install can read it.',
  },
  create_install_credential: {
    command: {
      name: 'installs create-credential',
      help: 'Create the credential with which an install reads its values; shown only once.',
      examples: ['installs create-credential inst_01h455vb4pex5vsknk084sn02q'],
    },
    page: '/installs/:id/credential',
    group: 'Installs',
    description:
      'Called by an owner or admin of the workspace that owns the install, for the installed program. It replaces the previous one at once. It gives access to `GET /installs/{id}/field_values` of this install only, and to nothing once the install is removed.',
  },
  read_install_values: {
    command: { reason: 'The install calls it, with a credential of its own.' },
    page: { reason: 'The install calls it, with a credential of its own.' },
    group: 'Installs',
    description:
      'The only response with the values of `format: password` fields: everywhere else they are replaced by `{"$sealed": true}`. Requires the install’s own credential in `Svc-Install-Credential`, and no other.',
  },
  remove_install: {
    command: 'installs remove',
    page: '/installs/:id/remove',
    group: 'Installs',
    description:
      'Called by the workspace that owns it. The record stays, with the time of the first call; calling again returns the same. The seat stays redeemed. Once this call returns, the install no longer prevents its cluster from being deleted.',
  },
} as const satisfies Record<string, Reference>
