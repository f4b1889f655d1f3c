import { inject } from 'vitest'
// The declaration of what global setup provides.
import type {} from '../global-setup.ts'

/** What of that kind belongs to this worker; it is made when the first file asks, and lives as long as the run. */
export async function ofTheRun<T>(kind: 'product' | 'browser' | 'template'): Promise<T> {
  const worker = process.env.VITEST_POOL_ID ?? '1'
  const response = await fetch(`${inject('runUrl')}/${kind}/${worker}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as T
}
