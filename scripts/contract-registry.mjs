// Writes the lists of operations that have files of their own in libs/contract, in the order of the reference: by group, then as the
// examples tell their story. With --check it names those lists that are not as it would write them, and fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../libs/contract/src/', import.meta.url))
const read = path => readFileSync(src + path, 'utf8')
const groups = [...read('openapi/groups.ts').matchAll(/^ {2}'?([A-Z][\w ]*?)'?:/gm)].map(([, name]) => name)
const folders = path => readdirSync(src + path, { withFileTypes: true }).filter(one => one.isDirectory())

/** By service, the operations with their files. */
const found = Object.fromEntries(
  folders('').flatMap(({ name: service }) => {
    const own = folders(service).flatMap(({ name }) => operationsIn(`${service}/${name}`))
    own.sort((a, b) => a.group - b.group || a.step - b.step)
    return own.length > 0 ? [[service, own]] : []
  }),
)

function operationsIn(folder) {
  return readdirSync(src + folder).flatMap(file => {
    const text = read(`${folder}/${file}`)
    if (!text.includes('export const operation = {')) return []
    const [, group] = /^ {2}group: '(.*)',$/m.exec(text) ?? []
    const [, step = '0'] = /^ {6}step: (\d+),$/m.exec(text) ?? []
    const name = file.replace('.ts', '').replaceAll('-', '_')
    return [{ name, path: `${folder}/${file}`, group: groups.indexOf(group), step: Number(step) }]
  })
}

const header = '// Written by `npm run generate` from the files of the operations.\n'
const imports = (what, operations, from) =>
  operations.map(({ name, path }) => `import { ${what} as ${name} } from '${from(path)}'\n`).join('')
const list = operations => operations.map(({ name }) => `  ${name},\n`).join('')

const files = {
  ...Object.fromEntries(
    Object.entries(found).map(([service, own]) => [
      `${service}/http-operations.ts`,
      `${header}${imports('operation', own, path => path.replace(`${service}/`, './'))}
export const httpOperations = {\n${list(own)}}\n`,
    ]),
  ),
  'openapi/references.ts': `${header}${Object.values(found)
    .map(own => imports('reference', own, path => `../${path}`))
    .join('')}
/** By service and operation. */
export const references = {
${Object.entries(found)
  .map(
    ([service, own]) =>
      `  ${service.includes('-') ? `'${service}'` : service}: {\n${list(own).replace(/^/gm, '  ').trimEnd()}\n  },\n`,
  )
  .join('')}}\n`,
}

const current = path => {
  try {
    return read(path)
  } catch {
    return undefined
  }
}
for (const [path, text] of Object.entries(files)) {
  if (current(path) === text) continue
  if (process.argv.includes('--check')) {
    console.error(`libs/contract/src/${path} is not what the operations say: npm run generate`)
    process.exitCode = 1
  } else writeFileSync(src + path, text)
}
