/** What run.mjs has prepared. */
export const settings = JSON.parse(process.env.SVC_CONTAINERS ?? '{}') as {
  /** A copy of the work tree. */
  project: string
  podman: { args: string[]; env: NodeJS.ProcessEnv }
  /** How each service's image was built, without the network and the folder. */
  builds: Record<string, string[]>
  labels: Record<'VERSION' | 'REVISION' | 'SOURCE', string>
  /** Stands in every file that the builds were given as a secret. */
  secretMark: string
}
