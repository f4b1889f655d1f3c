import { fileURLToPath } from 'node:url'

/** The root folder of this clone; holds from `src/` (tests) and from `dist/` alike. */
export const repoRoot = fileURLToPath(new URL('../../../', import.meta.url))
