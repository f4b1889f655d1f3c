import { readFileSync } from 'node:fs'

// In a clone and in an image alike: libs/runtime lies two folders below the root, and so does its bundled text.
const rootPackage = new URL('../../../package.json', import.meta.url)

/** The release that this process belongs to: the version in the root package.json. */
export const readRelease = (): string =>
  (JSON.parse(readFileSync(rootPackage, 'utf8')) as { version: string }).version
