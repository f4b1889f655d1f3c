import { rootOf } from '../base-url.ts'
import type { Cli } from '../cli.ts'
import { baseUrlOf } from '../connect.ts'
import { exitCodes, Failure, UsageError } from '../failure.ts'
import { credentialsFile } from '../sign-in/credentials-file.ts'
import { oauthRequest } from '../sign-in/oauth-request.ts'
import { runToken } from '../sign-in/run-token.ts'
import { withProgress } from '../terminal/progress.ts'

/** RFC 8693. An ID token is good for one exchange, so this is sent once. */
export async function loginInCi(cli: Cli): Promise<void> {
  const files = credentialsFile(cli)
  const baseUrl = await baseUrlOf(cli, files)
  const id = cli.options.workspace || cli.env.SVC_WORKSPACE
  if (!id?.startsWith('ws_')) {
    throw new UsageError('Give the id of the workspace: --workspace ws_…, or SVC_WORKSPACE.')
  }
  const subject_token = await runToken(cli.env, `${rootOf(baseUrl)}/${id}`, cli.signal)
  cli.secrets.add(subject_token)
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    subject_token,
  }
  const asked = oauthRequest(baseUrl, '/oauth/token', form, cli.signal)
  const { access_token, expires_in, scope } = await withProgress(cli, 'exchanging the ID token', asked)
  if (typeof access_token !== 'string') throw new Failure(exitCodes.failed, 'The answer has no access_token.')
  cli.secrets.add(access_token)
  await files.write({
    base_url: baseUrl,
    session_token: access_token,
    signed_in_at: Math.floor(Date.now() / 1000),
    workspace: { id, name: id },
  })
  await files.writeDefault(baseUrl)
  cli.print({ base_url: baseUrl, workspace_id: id, expires_in, scope }, () => '')
  if (!cli.options.json) cli.note(`Signed in at ${baseUrl} for ${Number(expires_in) / 60} minutes: ${scope}`)
}
