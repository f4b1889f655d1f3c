/** Names of clusters, which their members chose without limits, as they are shown. */

/** What breaks a line, or turns the direction of what follows. */
const unruly = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const seen = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

export interface Cluster {
  readonly id: string
  readonly name: string
}

/** In one line; the id of a cluster whose name shows nothing. */
export function clusterName({ id, name }: Cluster): string {
  const text = name.normalize().replace(unruly, ' ').replace(/ +/g, ' ').trim()
  return seen.test(text) ? text : id
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
