import { ApiResponseError, type CallOptions, type Client, type Result } from '@svc/client'
import { codes } from '@svc/contract/core/error-codes'

type Send = <T>(send: (options: CallOptions) => Promise<Result<T>>) => Promise<Result<T>>

/** The person, and the session in use. A restricted session may not read its person, and lists itself alone. */
export async function ownSession({ 'auth-tokens': api }: Client, send: Send) {
  const user = (await ifPermitted(send(options => api.get_user({}, options))))?.body
  if (user?.session) return { user, session: user.session }
  const { body } = await send(options => api.list_sessions({}, options))
  return { user, session: body.data.find(({ current }) => current) }
}

export async function ifPermitted<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const [permissionMissing] = codes.permission_missing
    if (error instanceof ApiResponseError && error.errors[0]?.code === permissionMissing) return undefined
    throw error
  }
}
