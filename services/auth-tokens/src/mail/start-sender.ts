import type { Log } from '@svc/runtime/log'
import type { WorkLoop } from '@svc/runtime/work-loop'
import { createDelivery } from './mail-delivery.ts'
import { type MessageSenderOptions, startMessageSender } from './send-messages.ts'

interface SenderOptions extends Omit<MessageSenderOptions, 'publicUrl' | 'deliver'> {
  readonly config: { readonly MAIL_URL?: string; readonly MAIL_FROM?: string; readonly PUBLIC_URL: string }
  readonly log: Log
}

export function startSender({ config, ...options }: SenderOptions): WorkLoop | undefined {
  const { MAIL_URL, PUBLIC_URL: publicUrl } = config
  if (MAIL_URL === undefined) {
    options.log.warn('MAIL_URL is not set: messages stay queued')
    return undefined
  }
  const from = config.MAIL_FROM ?? `svc <no-reply@${new URL(publicUrl).hostname}>`
  return startMessageSender({ ...options, publicUrl, deliver: createDelivery(MAIL_URL, from, options.log) })
}
