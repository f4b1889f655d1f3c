import { readFileSync } from 'node:fs'

// In a clone and in an image alike, libs/runtime and its bundle are two folders below the root.
const rootPackage = new URL('../../../package.json', import.meta.url)

export const readRelease = (): string =>
  (JSON.parse(readFileSync(rootPackage, 'utf8')) as { version: string }).version
