import type { Log } from '@svc/runtime/log'
import { createTransport } from 'nodemailer'

export interface Mail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly unsubscribe?: string
}

/** Resolves when the server has accepted the message. `signal` aborts the attempt. */
export type Deliver = (mail: Mail, signal: AbortSignal) => Promise<void>

const silenceMs = {
  connectionTimeout: 10_000,
  dnsTimeout: 5000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
}

/**
 * @param url `smtp://user:password@host:587`, `smtps://…`, or `log:`
 * @param from the sender in the format of the header: `name <address>`
 */
export function createDelivery(url: string, from: string, log: Log): Deliver {
  if (url === 'log:') {
    return async ({ to, subject, text }) => {
      log.warn({ to, subject }, text)
    }
  }
  const transport = createTransport({ url, ...silenceMs })
  const host = from.replace(/^.*@|>?\s*$/g, '')
  return async ({ id, to, subject, text, html, unsubscribe }, signal) => {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      // Mail programs recognise a message that arrives twice.
      messageId: `<${id}@${host}>`,
      // RFC 3834, 5: prevents automatic replies.
      headers: {
        'Auto-Submitted': 'auto-generated',
        // RFC 8058. The sending server signs both (DKIM), or mail programs ignore them.
        ...(unsubscribe !== undefined && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    })
  }
}
