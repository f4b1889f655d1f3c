/** Names of clusters and of the catalogue for display: some are older than the rules for names. */
import { replaceUnruly, showsNothing } from '@svc/contract/core/invisible'

export interface Cluster {
  readonly id: string
  readonly name: string
}

/** On one line; the id if the name is invisible. */
export function clusterName({ id, name }: Cluster): string {
  const text = replaceUnruly(name.normalize(), () => ' ')
    .replace(/ +/g, ' ')
    .trim()
  return showsNothing(text) ? id : text
}

/** Sorted by name, with ids if names look alike, since they need not be unique. */
export function listedClusters(clusters: readonly Cluster[]): Cluster[] {
  const named = clusters.map(({ id, name }) => ({ id, name: clusterName({ id, name }) }))
  const times = new Map<string, number>()
  for (const { name } of named) times.set(name, (times.get(name) ?? 0) + 1)
  return named
    .map(({ id, name }) => ({ id, name: times.get(name) === 1 ? name : `${name} (${id})` }))
    .sort((a, b) => compare(a.name, b.name))
}

const { compare } = new Intl.Collator('en', { numeric: true })
