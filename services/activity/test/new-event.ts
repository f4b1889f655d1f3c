/** An event as an outbox has it: of an offer of `ws_1` by default, and after those before it. */
import { randomUUID } from 'node:crypto'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import { newId } from '@svc/runtime/id'

let sequence = 0

export const newEvent = (of: Partial<ReadEvent> = {}): ReadEvent => ({
  sequence: ++sequence,
  uuid: randomUUID(),
  id: newId('evt'),
  type: 'offers.created',
  aggregate_id: 'offer_1',
  created_ms: Date.now(),
  data: '{"workspace_id":"ws_1"}',
  actor: null,
  request_id: null,
  address: null,
  changes: null,
  ...of,
})
