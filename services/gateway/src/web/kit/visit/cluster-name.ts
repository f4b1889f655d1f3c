/** Names of clusters and of the catalogue as they are shown: some are older than the rules for names. */
import { replaceUnruly, showsNothing } from '@svc/contract/core/invisible'

export interface Cluster {
  readonly id: string
  readonly name: string
}

/** In one line; the id of a cluster whose name shows nothing. */
export function clusterName({ id, name }: Cluster): string {
  const text = replaceUnruly(name.normalize(), () => ' ')
    .replace(/ +/g, ' ')
    .trim()
  return showsNothing(text) ? id : text
}

/** As they are listed: by name, and with their ids where names look alike, since they need not be unique. */
export function listedClusters(clusters: readonly Cluster[]): Cluster[] {
  const named = clusters.map(({ id, name }) => ({ id, name: clusterName({ id, name }) }))
  const times = new Map<string, number>()
  for (const { name } of named) times.set(name, (times.get(name) ?? 0) + 1)
  return named
    .map(({ id, name }) => ({ id, name: times.get(name) === 1 ? name : `${name} (${id})` }))
    .sort((a, b) => compare(a.name, b.name))
}

const { compare } = new Intl.Collator('en', { numeric: true })
