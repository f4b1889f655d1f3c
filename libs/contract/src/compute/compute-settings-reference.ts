/** What the OpenAPI document says of compute settings. */
import type { Reference } from '../openapi/operation-reference.ts'

export const computeSettingsReference = {
  get_compute_settings: {
    command: 'clusters settings get',
    page: '/clusters/:id/settings',
    group: 'Compute settings',
    description:
      'The `etag` of this response, in the body and in the header `ETag`, is needed for a change. It changes only with the settings: machines that start and stop do not affect it.',
  },
  update_compute_settings: {
    command: { name: 'clusters settings set', own: true },
    page: '/clusters/:id/settings',
    group: 'Compute settings',
    description:
      'Changes the fields that are sent and leaves the rest; at least one is required. A `max_machines` below `machines` is accepted: the cluster drains down to it.\n\n**Concurrency.** `If-Match` carries the etag of the latest settings, bare or in double quotes. If someone else has changed them in the meantime, nothing is changed and the response is 409 with `currentEtag`: read the settings again, decide again, and send that etag. Retrying a change that was applied returns 200.',
  },
} as const satisfies Record<string, Reference>
