import { exchangeRun, newJob } from '../ci-runs.ts'
import { type Driven, sender } from '../stack/driven-stack.ts'

/** A run that no trust matches, then one that gets a token, which ends with the trust. */
export async function useCi({ dev, baseUrl, gateway }: Driven) {
  const send = sender(baseUrl)
  const { workspace_id: workspace } = dev
  const own = (method: string, path: string, more: object = {}) =>
    send(method, path, dev.owner.session_token, { workspace, ...more })
  const job = newJob()
  await exchangeRun(gateway, job.run(workspace))
  await own('GET', '/ci_attempts')
  const { id } = await own('POST', '/ci_trusts', { body: job.trust })
  await exchangeRun(gateway, job.run(workspace))
  await own('GET', '/ci_trusts')
  await own('GET', `/ci_trusts/${id}`)
  await own('GET', '/api_tokens?kind=ci')
  await own('DELETE', `/ci_trusts/${id}`)
}
