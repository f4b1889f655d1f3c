export const consoleRoot = (workspace: string): string => `/console/${workspace}`
