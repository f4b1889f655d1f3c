/** Clusters and their compute settings. */
import type { Reference } from './reference.ts'

export const computeReference = {
  create_cluster: {
    group: 'Clusters',
    description: 'A cluster begins with the default compute settings and without machines.',
    codes: ['quota_exceeded'],
  },
  list_clusters: { group: 'Clusters', description: 'Newest first, with their compute settings.' },
  get_cluster: { group: 'Clusters', description: 'With its compute settings, etag included.' },
  update_cluster: {
    group: 'Clusters',
    description: 'Changes the name alone. The etag of the compute settings stays.',
  },
  delete_cluster: {
    group: 'Clusters',
    description: 'Refused while an install or an order refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  get_compute_settings: {
    group: 'Compute settings',
    description:
      'The `etag` of this answer, in the body and in the header `ETag`, is what a change needs. It changes with the settings only: machines that come and go do not disturb it.',
  },
  update_compute_settings: {
    group: 'Compute settings',
    description:
      'Changes what is sent and leaves the rest; at least one property is needed. A `max_machines` below `machines` is accepted: the cluster drains down to it.\n\n**Concurrency.** `If-Match` carries the etag of the latest settings, bare or in double quotes. Where somebody has changed them meanwhile nothing is changed, and the answer is 409 with `currentEtag`: read the settings again, decide again, and send that etag. The retry of a change that was applied is answered with 200.',
  },
} as const satisfies Record<string, Reference>
