/** The receiver of webhooks, as the harness sees it. */
import { type Child, startChild } from './child.ts'
import type { Mark } from './load.ts'

/** Where it does not answer, and where it sends interim answers without end. */
export const paths = { silent: '/silent', endless: '/endless' }

export interface Receiver extends Pick<Child, 'pid' | 'close'> {
  readonly url: string
  /** What arrived since the previous mark; its times are from the change to the arrival of its event. */
  mark(): Promise<Mark>
}

export async function startReceiver(): Promise<Receiver> {
  const { ask, ...child } = await startChild('receiver-process')
  return { ...child, url: await ask('listen'), mark: () => ask('mark') }
}
