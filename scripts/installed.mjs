// Whether node_modules matches package-lock.json.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Compares the hash recorded after the last installation; without one, npm's own list of what it did. */
export function isInstalled(root) {
  if (read(noteOf(root)) === lockHash(root)) return true
  if (!matchesOwnList(root)) return false
  recordInstalled(root)
  return true
}

export function recordInstalled(root) {
  try {
    writeFileSync(noteOf(root), lockHash(root))
  } catch {
    // A read-only clone is compared anew each time.
  }
}

function matchesOwnList(root) {
  const own = read(join(root, 'node_modules/.package-lock.json'))
  if (own === undefined) return false
  const { packages } = JSON.parse(own)
  return Object.entries(JSON.parse(read(join(root, 'package-lock.json'))).packages).every(
    ([path, wanted]) => {
      if (!path.includes('node_modules/')) return true
      const found = packages[path]
      if (wanted.link) return found?.link === true && existsSync(join(root, path))
      // Omitted for another platform.
      if (found === undefined) return wanted.optional === true
      return found.version === wanted.version && existsSync(join(root, path))
    },
  )
}

const noteOf = root => join(root, 'node_modules/.svc-lock')

const lockHash = root =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
