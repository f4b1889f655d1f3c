/** A bare fastify that answers every request with the same bytes. */
import { fastify } from 'fastify'
import { serveParent } from '../child.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const app = fastify()
let answer: (HttpAnswer & { readonly bytes: Buffer }) | undefined

app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.route({
  method: ['GET', 'POST'],
  url: '/*',
  handler: (_request, reply) => {
    reply
      .code(answer?.status ?? 500)
      .headers(answer?.headers ?? {})
      .send(answer?.bytes)
  },
})

serveParent({
  listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
  answer(wanted: HttpAnswer) {
    answer = { ...wanted, bytes: Buffer.from(wanted.body) }
  },
})
