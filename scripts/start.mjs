// `npm start`: installs, builds, and runs everything on this machine until Ctrl-C.
import { prepare } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
await import('../apps/local/dist/main.js')
