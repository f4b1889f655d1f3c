import type { Metrics } from './metrics.ts'

/**
 * @param batch the label by which these batches are told apart
 * @returns takes the size of each batch
 */
export function meterBatches(metrics: Metrics, batch: string, waiting: () => number): (size: number) => void {
  metrics.read('svc_queue_depth', { queue: batch }, waiting)
  return metrics.histogram('svc_batch_size', { batch })
}
