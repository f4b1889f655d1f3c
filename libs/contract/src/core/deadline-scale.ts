/**
 * Lengthens the deadlines within which a process expects answers: SVC_DEADLINE_SCALE, 1 by default. Tests set it to
 * how much slower their machine is. Leases are not scaled, because both sides would have to agree.
 */
const scale = Number(process.env.SVC_DEADLINE_SCALE || 1)

/**
 * @param ms on a fast machine
 * @returns whole milliseconds
 */
export const scaled = (ms: number): number => Math.round(ms * scale)
