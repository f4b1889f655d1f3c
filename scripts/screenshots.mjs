// `npm run screenshots`: installs, builds, and takes the screenshots of the README, docs/images, from its own
// product.
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())
try {
  await prepare({ browser: true })
  const { takeScreenshots } = await import('../libs/testing/dist/screenshots/take-screenshots.js')
  for (const file of await takeScreenshots(join(root, 'docs/images'), stop.signal)) console.log(file)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
