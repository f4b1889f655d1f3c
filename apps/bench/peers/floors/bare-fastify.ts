/** The cost of HTTP alone: reads the body, answers with constants. */
import { fastify } from 'fastify'
import { host, port, sayReady } from '../shared/environment.ts'

const offer = JSON.stringify({ id: 'offer_01jd7x8q4eak5v6z2m9t3c0wrh', short_hash: '4kXw9TqZb2Lm' })
const token = {
  id: 'tok_01jd7x8q4eak5v6z2m9t3c0wrh',
  name: 'deployment',
  hint: 'a1B2',
  created_at: 1_767_225_600,
  created_by: null,
  last_used_at: null,
  expires_at: null,
}
const tokens = JSON.stringify({ data: Array.from({ length: 25 }, () => token), next_cursor: null })

const app = fastify({ logger: false })
app.post('/v1/offers', (_request, reply) => reply.code(201).type('application/json').send(offer))
app.get('/v1/api_tokens', (_request, reply) => reply.type('application/json').send(tokens))

process.once('SIGTERM', () => app.close())

await app.listen({ host: host(), port: port() })
sayReady()
