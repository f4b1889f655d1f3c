/** A running product, and the events that it publishes meanwhile. */
import { type Bus, connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { type FollowedEvents, followEvents, type StoredEvent } from '../read-events.ts'
import { joinProduct } from './join-product.ts'
import type { Product } from './stack.ts'

export interface FollowedProduct {
  readonly product: Product
  readonly stored: FollowedEvents['stored']
  /** Waits until there are so many of them. */
  eventsWhere(count: number, is: (event: StoredEvent) => boolean): Promise<StoredEvent[]>
  /** Call it in afterAll. */
  stop(): Promise<void>
}

export async function followProduct(): Promise<FollowedProduct> {
  const began = Date.now()
  const product = await joinProduct()
  let bus: Bus | undefined
  let stream: FollowedEvents | undefined
  const stop = async () => {
    await stream?.stop()
    await bus?.close()
    await product.stop()
  }
  try {
    bus = await connectBus(product.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
    const followed = await followEvents(bus, began)
    stream = followed
    const { stored } = followed
    return {
      product,
      stored,
      async eventsWhere(count, is) {
        const found = () => stored.filter(is)
        await waitUntil(`${count} events`, giveUp => {
          if (followed.failure) giveUp(followed.failure)
          return found().length >= count
        })
        return found()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
