import type { Metrics } from './metrics.ts'

/** Which batches are counted, and where: `name` is the label. */
export interface MeteredBatches {
  readonly metrics: Metrics
  readonly name: string
}

/** @returns takes the size of each batch */
export function meterBatches(
  { metrics, name }: MeteredBatches,
  waiting: () => number,
): (size: number) => void {
  metrics.read('svc_queue_depth', { queue: name }, waiting)
  return metrics.histogram('svc_batch_size', { batch: name })
}
