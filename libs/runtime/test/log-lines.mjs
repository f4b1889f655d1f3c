// Logs what the test hands over as JSON, and some errors that no JSON can hold.
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
for (const fields of JSON.parse(process.argv[2])) log.info(fields, 'fields')
log.flush(() => process.exit(0))
