const kept = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'] as const

/**
 * The environment for a third-party server: only what a program needs to be found and loaded, and `own`. PGPORT or
 * PGDATA would change it, and it does not need anyone's credentials.
 */
export function systemEnv(
  own: Record<string, string>,
  from: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const name of kept) if (from[name] !== undefined) env[name] = from[name]
  return { ...env, ...own }
}
