// Writes the lists that follow from files: operations of libs/contract, in the order of the reference (by group,
// then by their examples' steps), and each service's handlers; for a new service its first files as well. With
// --check it names outdated files, and fails.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const header = '// Written by `npm run generate`.\n'
const read = path => readFileSync(path, 'utf8')
const filesBelow = folder =>
  readdirSync(folder, { recursive: true })
    .filter(path => path.endsWith('.ts'))
    .sort()
    .map(path => `${folder}/${path}`)
const camelCase = name => name.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase())

const contract = 'libs/contract/src'
const groups = [...read(`${contract}/openapi/groups.ts`).matchAll(/^ {2}'?([A-Z][\w ]*?)'?:/gm)].map(
  ([, name]) => name,
)
const operations = filesBelow(contract)
  .flatMap(path => {
    const text = read(path)
    if (!text.includes('export const operation = {')) return []
    const [, group] = /^ {2}group: '(.*)',$/m.exec(text) ?? []
    const [, step = '0'] = /^ {6}step: (\d+),$/m.exec(text) ?? []
    const name = path.replace(/.*\//, '').replace('.ts', '').replaceAll('-', '_')
    return [{ name, path, group: groups.indexOf(group), step: Number(step) }]
  })
  .sort((a, b) => a.group - b.group || a.step - b.step)
const serviceOf = ({ path }) => path.split('/')[3]
const services = [...new Set(operations.map(serviceOf))].sort()
const ofService = service => operations.filter(operation => serviceOf(operation) === service)

const importOf = (file, path) => {
  const from = relative(dirname(file), path)
  return from.startsWith('.') ? from : `./${from}`
}
const operationImports = (what, file, found) =>
  found.map(({ name, path }) => `import { ${what} as ${name} } from '${importOf(file, path)}'\n`).join('')
const list = found => found.map(({ name }) => `  ${name},\n`).join('')

function httpOperations(service) {
  const file = `${contract}/${service}/http-operations.ts`
  const own = ofService(service)
  return [
    file,
    `${header}${operationImports('operation', file, own)}
export const httpOperations = {\n${list(own)}}\n`,
  ]
}

function references() {
  const file = `${contract}/openapi/references.ts`
  const entries = services.map(service => {
    const key = service.includes('-') ? `'${service}'` : service
    return `  ${key}: {\n${list(ofService(service)).replace(/^/gm, '  ').trimEnd()}\n  },\n`
  })
  return [
    file,
    `${header}${services.map(service => operationImports('reference', file, ofService(service))).join('')}
/** By service and operation. */
export const references = {\n${entries.join('')}}\n`,
  ]
}

function handlers(service) {
  const file = `services/${service}/src/handlers.ts`
  const name = camelCase(service)
  const found = filesBelow(`services/${service}/src`).flatMap(path => {
    const [, handler, operation] =
      /^export const (\w+): Handler<\s*typeof \w+\.operations\.(\w+),/m.exec(read(path)) ?? []
    return operation ? [{ handler, operation, path }] : []
  })
  const imports = [
    `import type { ${name} } from '@svc/contract/${service}/${service}'`,
    `import type { Handlers } from '@svc/contract/core/operation'`,
    `import { commonHandlers } from '@svc/runtime/common-handlers'`,
    existsSync(`services/${service}/src/deps.ts`)
      ? `import type { Deps } from './deps.ts'`
      : `import type { ServiceDeps as Deps } from '@svc/runtime/service-deps'`,
    ...found.map(({ handler, path }) => `import { ${handler} } from '${importOf(file, path)}'`),
  ]
  const entries = found.map(({ handler, operation }) =>
    handler === operation ? `  ${handler},\n` : `  ${operation}: ${handler},\n`,
  )
  return [
    file,
    `${header}${imports.join('\n')}\n
export const handlers: Handlers<typeof ${name}, Deps> = {
  ...commonHandlers('${service}'),\n${entries.join('')}}\n`,
  ]
}

/** Files that a new service begins with; from then on they are its own. */
function firstFiles(service) {
  const name = camelCase(service)
  return [
    [
      `services/${service}/package.json`,
      read('services/compute/package.json').replace('@svc/compute', `@svc/${service}`),
    ],
    [
      `${contract}/${service}/${service}.ts`,
      `import { service } from '../core/operation.ts'
import { quotaOperations } from '../core/quotas.ts'
import { outboxOperations } from '../core/reading-events.ts'
import { httpOperations } from './http-operations.ts'

export const ${name} = service('${service}', { ...httpOperations, ...quotaOperations, ...outboxOperations })
`,
    ],
    [
      `services/${service}/src/main.ts`,
      `import { ${name} } from '@svc/contract/${service}/${service}'
import { readConfig, serviceConfig } from '@svc/runtime/config'
import { startService } from '@svc/runtime/start-service'
import { handlers } from './handlers.ts'

startService({
  contract: ${name},
  folder: new URL('..', import.meta.url),
  config: () => readConfig(serviceConfig),
  handlers,
  start: ({ serviceDeps }) => ({ deps: serviceDeps }),
})
`,
    ],
  ].filter(([path]) => !existsSync(path))
}

const files = [
  ...services.flatMap(firstFiles),
  ...services.map(httpOperations),
  references(),
  ...services.map(handlers),
]
for (const [path, text] of files) {
  if (existsSync(path) && read(path) === text) continue
  if (process.argv.includes('--check')) {
    console.error(`${path} is out of date: npm run generate`)
    process.exitCode = 1
  } else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
