import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { getMailPreferences } from './preferences/get-mail-preferences.ts'
import { readUnsubscription } from './preferences/read-unsubscription.ts'
import { unsubscribe } from './preferences/unsubscribe.ts'
import { updateMailPreferences } from './preferences/update-mail-preferences.ts'
import { requestMail } from './request-mail.ts'
import { requestWebhookMail } from './request-webhook-mail.ts'

export const mailHandlers = {
  request_mail: requestMail,
  request_webhook_mail: requestWebhookMail,
  get_mail_preferences: getMailPreferences,
  update_mail_preferences: updateMailPreferences,
  read_unsubscription: readUnsubscription,
  unsubscribe,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
