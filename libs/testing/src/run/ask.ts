import { inject } from 'vitest'
// The declaration of what global setup provides.
import type {} from '../global-setup.ts'

/** What of that kind the files of a run share; it is made when the first of them asks, and lives as long as the run. */
export async function ofTheRun<T>(kind: 'product' | 'browser' | 'template'): Promise<T> {
  const response = await fetch(`${inject('runUrl')}/${kind}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as T
}
