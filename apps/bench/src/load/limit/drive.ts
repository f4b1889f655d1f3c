/** A piece that is its own load: as many lanes as asked for, each of which begins anew when it is done. */
import { reportFailure, serveParent } from '../child.ts'
import { createRecorder } from '../load.ts'
import { type Loop, startLoop } from '../loop.ts'

interface Piece {
  once(): Promise<unknown>
  end(): Promise<unknown>
}

export function serveDriver<Order extends { readonly connections: number }>(
  begin: (order: Order) => Promise<Piece>,
) {
  const { record, mark } = createRecorder()
  let endPiece: Piece['end'] | undefined
  let loop: Loop | undefined
  let done = 0
  serveParent({
    async start(order: Order) {
      const { once, end } = await begin(order)
      endPiece = end
      done = 0
      loop = startLoop({
        lanes: order.connections,
        what: 'calls',
        async act(_, dueAt) {
          await once()
          record(performance.now() - dueAt)
          done++
          // As in the load generator: answers of one turn of the event loop are followed by calls of one turn.
          await new Promise(setImmediate)
        },
      })
      loop.failure.catch(reportFailure)
    },
    mark,
    async stop() {
      await loop?.stop()
      await endPiece?.()
      return done
    },
  })
}
