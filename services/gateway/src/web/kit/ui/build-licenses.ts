/**
 * Part of the build: the licences of bundled or copied code whose package the image does not contain. Each has to
 * accompany every copy.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const copied = ['@fontsource-variable/inter', '@simplewebauthn/browser', 'uqr']

const { resolve } = createRequire(import.meta.url)

function licenseOf(name: string): string {
  const folder = resolve
    .paths(name)
    ?.map(path => join(path, name))
    .find(path => existsSync(path))
  const file = folder && readdirSync(folder).find(one => /^licen[cs]e/i.test(one))
  if (!file) throw new Error(`${name} is copied and has no file with its licence.`)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const source = `Source: https://www.npmjs.com/package/${name}/v/${version}`
  return `${name} ${version} (${license})\n${source}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

const license = new URL('../../../../src/web/kit/ui/lucide-license.txt', import.meta.url)
const icons = `lucide 1.65.0 (ISC)\nSource: https://www.npmjs.com/package/lucide/v/1.65.0\n\n${readFileSync(license, 'utf8').trim()}\n`

writeFileSync(
  new URL('../../../../dist/LICENSES.txt', import.meta.url),
  [...copied.map(licenseOf), icons].join(`\n${'-'.repeat(80)}\n\n`),
)
