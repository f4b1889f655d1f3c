import { type Database, openDatabase } from '@svc/runtime/database'

/** Connections to the database of that address, as a service has them; for a test to close. */
export const openPool = (url: string, size = 4, queueLimit = 512): Database =>
  openDatabase({ DATABASE_URL: url, DATABASE_POOL_SIZE: size, DATABASE_QUEUE_LIMIT: queueLimit })
