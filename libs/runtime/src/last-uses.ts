/** Last uses of credentials, gathered in memory: the time of each in Unix seconds, forward only. */
export type LastUses = Map<string, number>

/** Ids that may be gathered; the uses of further ones are not recorded. */
const maxGathered = 50_000

export function gatherUse(uses: LastUses, id: string, seconds: number): void {
  const known = uses.get(id)
  if (known === undefined ? uses.size < maxGathered : known < seconds) uses.set(id, seconds)
}
