/** Read, change, write: for settings whose write needs the etag of what was read. */
import type { compute } from '@svc/contract/compute/compute'
import type { z } from 'zod'
import type { Client } from './client.ts'
import { ComputeSettingsConflictError } from './errors.ts'
import type { CallOptions } from './options.ts'

type Update = (typeof compute)['operations']['update_compute_settings']
export type ComputeSettings = z.output<Update['output']>
export type ComputeSettingsChange = z.input<Update['body']>

export interface ChangeOptions extends CallOptions {
  /** Writes at most, unless given 10: each but the first follows on someone else's change in between. */
  readonly writes?: number
}

/**
 * Changes the compute settings of a cluster without overwriting what others change at the same time. `change` is asked
 * with the current settings, again after every conflict, and answers what to set; undefined: leave them as they are.
 * Those who set the same at the same time all succeed: it is set, once. So this is no counter.
 *
 * @returns the settings as they are now
 * @throws ComputeSettingsConflictError when others were faster every time; else what the two operations throw
 */
export async function changeComputeSettings(
  client: Pick<Client, 'compute'>,
  clusterId: string,
  change: (current: ComputeSettings) => ComputeSettingsChange | undefined,
  { writes = 10, ...options }: ChangeOptions = {},
): Promise<ComputeSettings> {
  const params = { id: clusterId }
  for (let write = 1; ; write++) {
    const { body: current } = await client.compute.get_compute_settings({ params }, options)
    const body = change(current)
    if (body === undefined) return current
    try {
      const headers = { 'if-match': current.etag }
      return (await client.compute.update_compute_settings({ params, headers, body }, options)).body
    } catch (error) {
      // Read anew, though the conflict names the etag: what to set depends on the settings.
      if (!(error instanceof ComputeSettingsConflictError) || write >= writes) throw error
    }
  }
}
