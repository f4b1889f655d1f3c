/**
 * Lengthens the deadlines within which a process expects others to answer: SVC_DEADLINE_SCALE, 1 unless set. Tests set it to
 * how much slower their machine is. Leases are not scaled, as their two sides would have to agree.
 */
const scale = Number(process.env.SVC_DEADLINE_SCALE || 1)

/**
 * @param ms on a machine that is fast enough for its load
 * @returns whole milliseconds
 */
export const scaled = (ms: number): number => Math.round(ms * scale)
