import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { allExamples } from '@svc/contract/openapi/all-examples'
import {
  acme,
  ada,
  customerCluster,
  deployToken,
  globex,
  grace,
  kim,
  stripeSignature,
} from '@svc/contract/openapi/example-names'
import { connectAgent } from '../stack/agent.ts'
import { caller } from '../stack/driven-stack.ts'
import type { Product } from '../stack/stack.ts'
import { signature } from '../stripe/stripe-server.ts'
import { type ExampleResult, runExamples } from './run-examples.ts'

/** Sends every example of the OpenAPI document, in the order of their story: the people of the demo are those of the examples. */
export async function replayExamples({
  stack,
  dev,
  backoffice,
  sql,
}: Pick<Product, 'dev' | 'backoffice' | 'sql'> & {
  readonly stack: Pick<Product['stack'], 'natsUrl'>
}): Promise<ExampleResult[]> {
  const ids = new Map<string, string>()
  for (const { email, id } of await sql`select email, id from auth_tokens.users`) ids.set(email, id)
  const idOf = (email: string) => ids.get(email) ?? ''
  const { stranger, member, owner } = dev
  const known = {
    [ada.email]: stranger.email,
    [ada.id]: idOf(stranger.email),
    [kim.email]: member.email,
    [kim.id]: idOf(member.email),
    [grace.email]: owner.email,
    [grace.id]: idOf(owner.email),
    [globex]: dev.workspace_id,
    [customerCluster]: dev.cluster_id,
  }
  const agent = await connectAgent(
    { natsUrl: stack.natsUrl, backoffice },
    { id: dev.cluster_id, workspace: dev.workspace_id },
  )
  for (const machines of [3, 5]) await agent.report(machines)
  await agent.bus.close()
  const openSession = () =>
    invoke(backoffice, authTokens, 'create_session', { ...caller(), body: { user_id: idOf(stranger.email) } })
  const bearer = (token: string, workspace?: string) => ({
    authorization: `Bearer ${token}`,
    ...(workspace && { 'svc-context': workspace }),
  })
  // The story has one session, and ends with it.
  const { token: session } = await openSession()
  await fetch(`${dev.base_url}/sessions`, { method: 'DELETE', headers: bearer(session) })
  return runExamples(allExamples, {
    baseUrl: dev.base_url,
    known,
    async sendersHeaders({ by, operation, definition, request }, actual): Promise<Record<string, string>> {
      if (operation === 'end_other_sessions') await openSession()
      if (by === 'script') return bearer(actual(deployToken.token))
      if (by === 'invited') return bearer(member.session_token)
      if (by === 'customer') return bearer(owner.session_token, dev.workspace_id)
      if (by === 'owner') return bearer(session, definition.access.workspace ? actual(acme) : undefined)
      return request.headers?.['stripe-signature'] === stripeSignature
        ? { 'stripe-signature': signature(JSON.stringify(request.body)) }
        : {}
    },
  })
}
