/** The address of a workspace's part of the console, without a slash at the end. */
export const consoleRoot = (workspace: string): string => `/console/${workspace}`
