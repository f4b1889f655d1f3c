#!/usr/bin/env node
import { createRequire } from 'node:module'

// Reports a Node.js that is too old, instead of failing on syntax that it does not know.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`svc: Node.js ${process.versions.node} is too old: it takes 20.19 or later.\n`)
  process.exit(1)
}
// `import` would scan all of it for exported names.
createRequire(import.meta.url)('../dist/svc.cjs')
