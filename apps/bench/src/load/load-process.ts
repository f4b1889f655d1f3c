/** The load generator's own process, so that its CPU is counted separately. It is controlled by the process that forked it. */
import { type Acknowledged, type Load, type LoadOrder, type Mark, startLoad } from './load.ts'

export type Command = { do: 'start'; order: LoadOrder } | { do: 'mark' } | { do: 'stop' }
export type Answer =
  | { is: 'ready' }
  | { is: 'started' }
  | { is: 'mark'; mark: Mark }
  | { is: 'stopped'; acknowledged: Acknowledged }
  | { is: 'failed'; message: string }

let load: Load | undefined

const answer = (message: Answer) => process.send?.(message)
const failed = (error: Error) => answer({ is: 'failed', message: error.message })

process.on('message', (command: Command) => {
  if (command.do === 'start') {
    load = startLoad(command.order)
    load.failure.catch(failed)
    answer({ is: 'started' })
  } else if (command.do === 'mark') {
    if (load) answer({ is: 'mark', mark: load.mark() })
  } else {
    // Its failure has already been reported.
    load?.stop().then(
      acknowledged => answer({ is: 'stopped', acknowledged }),
      () => {},
    )
  }
})
process.on('disconnect', () => process.exit(0))
process.on('uncaughtException', failed)
answer({ is: 'ready' })
