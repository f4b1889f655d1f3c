// `npm run bench`: installs, builds, and measures the product against its peers; arguments go to the harness.
import { join } from 'node:path'
import { installIn, npm, prepare, root } from './prepare.mjs'
import { isInstalled } from './installed.mjs'
import { exclusively } from './prepare-lock.mjs'
import { runStep } from './run-step.mjs'

try {
  await prepare()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
const { main } = await import('../apps/bench/dist/main.js')
process.exit(await main(process.argv.slice(2), { preparePeers }))

/** The peers' own dependencies, which only this command needs. */
async function preparePeers() {
  const folder = join(root, 'apps/bench/peers')
  const work = async () => {
    if (!isInstalled(folder)) await installIn(folder, 'installing the peers (npm ci)')
    await runStep({
      ...npm(folder, ['run', 'build', '--loglevel=error']),
      label: 'building the peers',
      mend: () => 'Fix the errors above and start again.',
    })
  }
  await exclusively(join(root, '.turbo/preparing-peers'), work, () =>
    process.stderr.write('  … another npm run bench is installing or building the peers; waiting for it\n'),
  )
}
