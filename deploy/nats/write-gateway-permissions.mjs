// Writes what the gateway may publish into nats.conf, from the contract: node deploy/nats/write-gateway-permissions.mjs
import { gatewaySubjects } from '@svc/contract/services'
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('nats.conf', import.meta.url)
const list = gatewaySubjects.map(subject => `          "${subject}"\n`).join('')
const conf = readFileSync(file, 'utf8')
writeFileSync(
  file,
  conf.replace(/(user: gateway,[^[]*\[\n)[^\]]*?( *\])/, (_, head, tail) => head + list + tail),
)
