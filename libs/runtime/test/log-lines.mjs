// Logs what the test passes as JSON, and some errors that JSON cannot express.
import { createLog } from '@svc/runtime/log'

class PostgresError extends Error {
  constructor() {
    super('duplicate key value violates unique constraint "users_email_key"')
    this.name = 'PostgresError'
    Object.assign(this, {
      code: '23505',
      severity: 'ERROR',
      constraint_name: 'users_email_key',
      table_name: 'users',
      detail: 'Key (email)=(hunter2) already exists.',
      where: 'COPY users, line 1: "hunter2"',
      hint: 'Choose another.',
      query: 'insert into users values (hunter2)',
      parameters: ['hunter2'],
      args: ['hunter2'],
      types: [25],
      cause: new Error('hunter2'),
      token: 'hunter2',
    })
  }
}

const log = createLog('test', 'info')
const error = new PostgresError()
log.error({ err: error }, 'as err')
log.error({ error, reason: error }, 'under other names')
log.error(error)
log.error(error, 'with a message')
log.error({ context: { error } }, 'deeper')
log.error({ err: { token: 'hunter2', message: 'hunter2' } }, 'no error at all')
log.error({ err: 'hunter2' }, 'a text that was thrown')
const date = new Date(0)
log.info(
  { list: [null, 7, date, { token: 'hunter2', at: date }, [error]], none: null, inner: { date } },
  'values',
)
log.info({ url: new URL('http://host/path'), inner: { none: undefined, yes: true, zero: 0 } }, 'plain values')
log.info({ one: { error, two: { error, list: [] } }, errors: [error, { error }] }, 'errors within')
log.info({ one: { two: { three: { deep: 1 } } }, list: [[[1]]] }, 'deep')
const circle = { yes: true }
circle.circle = circle
log.info({ circle }, 'a circle')
log.info(Object.assign(Object.create(null), { token: 'hunter2', inner: Object.create(null) }), 'no prototype')
log.info(
  {
    session: new (class Session {
      secret = 'hunter2'
      yes = true
    })(),
  },
  'an instance',
)
log.info(
  { context: { err: { token: 'hunter2', code: 5 } }, err: { err: { token: 'hunter2' } } },
  'err within',
)
log.info({ err: null }, 'no error')
log.info(JSON.parse('{ "__proto__": { "token": "hunter2" }, "yes": true }'), 'a name that is none')
log.info([{ token: 'hunter2' }], 'a list')
log
  .child({ token: 'hunter2', inner: { notes: 'hunter2' }, request_id: 'req_2' })
  .info({ yes: true }, 'of a child')
const untouched = { token: 'seen', inner: { secret: 'seen' }, list: [{ hash: 'seen' }] }
log.info(untouched, 'untouched')
log.info(
  {
    same: JSON.stringify(untouched) === '{"token":"seen","inner":{"secret":"seen"},"list":[{"hash":"seen"}]}',
  },
  'left as it was',
)
for (const fields of JSON.parse(process.argv[2])) log.info(fields, 'fields')
log.flush(() => process.exit(0))
