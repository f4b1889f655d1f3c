/** What a browser may do with our pages: nothing but show them and send their forms to us. */
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

const nothing = "'none'"
const own = "'self'"
const twoYears = 2 * 365 * 24 * 60 * 60

export async function protectPages(app: FastifyInstance, publicUrl: string) {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': [nothing],
        'style-src': [own],
        'img-src': [own],
        'form-action': [own],
        'frame-ancestors': [nothing],
        'base-uri': [nothing],
      },
    },
    strictTransportSecurity: publicUrl.startsWith('https:') && {
      maxAge: twoYears,
      includeSubDomains: false,
    },
    // Links of /verify and codes of /device stand in addresses.
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  })
}

/**
 * For a page with a form that needs a script: ours run, as files alone. None of them may write markup (Trusted Types):
 * what sellers have written stays text.
 */
export function allowOwnScripts(reply: FastifyReply) {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header(
    'content-security-policy',
    `${policy};script-src ${own};require-trusted-types-for 'script';trusted-types ${nothing}`,
  )
}
