/** Events as those who consume them get them. */
import type { z } from 'zod'
import type { Actor } from './core/actor.ts'
import type { EventType, events } from './events.ts'
import type { manifest, ServiceName } from './manifest.ts'

/** An event with its data. It may come again, and after a later one: keep the last `sequence` of each aggregate. */
export interface ConsumedEvent<Type extends EventType> {
  /** `evt_…` */
  readonly id: string
  readonly type: Type
  readonly aggregate_id: string
  readonly sequence: number
  /** Unix seconds. */
  readonly created_at: number
  readonly actor: Actor
  readonly request_id: string | null
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>> | null
  readonly data: z.output<(typeof events)[Type]>
}

/** Resolves when the event has had its effect: it is acknowledged then. What it throws is a reason to try again. */
export type EventHandler<Type extends EventType, Deps> = (
  event: ConsumedEvent<Type>,
  deps: Deps,
) => Promise<unknown>

/** A handler for every event that a service consumes: a missing one is a compile error. */
export type EventHandlers<Name extends ServiceName, Deps> = {
  readonly [Type in (typeof manifest)[Name]['consumes'][number]]: EventHandler<Type, Deps>
}
