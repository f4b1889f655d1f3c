import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { completeVerification } from './complete-verification.ts'
import { createOwner } from './create-owner.ts'
import { getUser } from './get-user.ts'
import { putUser } from './put-user.ts'
import { readEmail } from './read-email.ts'
import { readUser } from './read-user.ts'
import { readVerification } from './read-verification.ts'
import { requestVerification } from './request-verification.ts'
import { verifyUser } from './verify-user.ts'

export const peopleHandlers = {
  read_email: readEmail,
  read_user: readUser,
  get_user: getUser,
  put_user: putUser,
  verify_user: verifyUser,
  request_verification: requestVerification,
  read_verification: readVerification,
  complete_verification: completeVerification,
  create_owner: createOwner,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
