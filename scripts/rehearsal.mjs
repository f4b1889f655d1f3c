// `npm run rehearsal`: installs, builds, and makes hosts of a production fail under load; arguments are passed on.
import { prepare } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
const { main } = await import('../apps/rehearsal/dist/main.js')
process.exit(await main(process.argv.slice(2)))
