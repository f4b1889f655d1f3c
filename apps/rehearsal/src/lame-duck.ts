/** A rollout of one NATS server. */
import { waitUntil } from '@svc/local/wait-until'
import type { Product } from './product.ts'
import { natsHosts } from './product-hosts.ts'

/** As deployed: `nats-server -sl=ldm`, then SIGTERM, which waits for the end of lame duck mode. */
export async function lameDuck({ nats, network }: Product, index: number): Promise<void> {
  const server = nats[index]
  await server?.kill('SIGUSR2')
  await waitUntil('the server has left', () => !server?.running(), { timeoutMs: 60_000, everyMs: 100 })
  await server?.restart()
  await natsHealthy({ network }, index)
}

/** The readiness probe of deploy/kubernetes/overlays/production/nats.yaml, and the same for the stream. */
export async function natsHealthy({ network }: Pick<Product, 'network'>, index: number): Promise<void> {
  const { address } = network.host(natsHosts[index] ?? '')
  await waitUntil(
    `${natsHosts[index]} is healthy`,
    async () => (await fetch(`http://${address}:8222/healthz`)).status === 200,
    { timeoutMs: 60_000, everyMs: 200 },
  )
}
