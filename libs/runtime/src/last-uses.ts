/** Last uses of credentials by id, in Unix seconds; they only increase. */
export type LastUses = Map<string, number>

export const maxGathered = 50_000

export function gatherUse(uses: LastUses, id: string, seconds: number): void {
  const known = uses.get(id)
  if (known === undefined ? uses.size < maxGathered : known < seconds) uses.set(id, seconds)
}
