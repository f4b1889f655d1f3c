// `npm run schema`: installs, builds, raises the revision of functions that changed, and writes the services' schema.sql.
import { prepare } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
const { writeSchemas } = await import('../libs/testing/dist/statements/write-schema.js')
await writeSchemas()
