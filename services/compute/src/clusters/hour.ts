export const hourSeconds = 3600

/** When the hour began, in Unix seconds. @param now Unix milliseconds */
export const hourOf = (now: number): number => Math.floor(now / 1000 / hourSeconds) * hourSeconds
