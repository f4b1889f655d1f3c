import type { Person } from '../visit/visit.ts'

/** What somebody has typed at an offer is kept under it: another person's pages in the same tab look for another key. */
export const draftKey = ({ caller }: Person, hash: string): string =>
  'user' in caller ? `order ${caller.user} ${hash}` : ''
