// `npm run admin -- <command>`: the operator's commands, against what `npm start` runs or the bus at NATS_URL.
import { prepare } from './prepare.mjs'

try {
  await prepare({ quiet: true })
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
await import('../apps/local/dist/admin-main.js')
