import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { transportSecurity } from '../../../edge/http/standing-headers.ts'

const nothing = "'none'"
const own = "'self'"

const permissions = [
  ...['camera', 'geolocation', 'microphone', 'payment', 'usb'].map(name => `${name}=()`),
  ...['create', 'get'].map(what => `publickey-credentials-${what}=(self)`),
].join(', ')

export async function protectPages(app: FastifyInstance, publicUrl: string) {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': [nothing],
        'style-src': [own],
        'img-src': [own],
        'font-src': [own],
        'form-action': [own],
        'frame-ancestors': [nothing],
        'base-uri': [nothing],
      },
    },
    strictTransportSecurity: transportSecurity(publicUrl),
    // Links of /verify and codes of /device are in URLs.
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', permissions)
  })
}

/**
 * For a page with a form that needs a script: only our script files run. None of them may write markup (Trusted
 * Types): sellers' texts stay text.
 */
export function allowOwnScripts(reply: FastifyReply) {
  const policy = String(reply.getHeader('content-security-policy'))
  if (policy.includes('script-src')) return
  reply.header(
    'content-security-policy',
    `${policy};script-src ${own};require-trusted-types-for 'script';trusted-types ${nothing}`,
  )
}

/** For pages whose scripts send requests to this gateway: the search of the guides, the state of an order. */
export function allowOwnRequests(reply: FastifyReply) {
  allowOwnScripts(reply)
  reply.header('content-security-policy', `${reply.getHeader('content-security-policy')};connect-src ${own}`)
}
