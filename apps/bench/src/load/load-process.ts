/** The load generator's process. */
import { reportFailure, serveParent } from './child.ts'
import { type Load, type LoadOrder, startLoad } from './load.ts'

let load: Load | undefined

serveParent({
  start(order: LoadOrder) {
    load = startLoad(order)
    load.failure.catch(reportFailure)
  },
  mark: () => load?.mark(),
  stop: () => load?.stop(),
})
