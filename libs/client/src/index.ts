/** The public edge of the package. */
export { type Arguments, type Client, createClient } from './client.ts'
export {
  changeComputeSettings,
  type ChangeOptions,
  type ComputeSettings,
  type ComputeSettingsChange,
} from './compute-settings.ts'
export { connectionReason } from './connection-reason.ts'
export { environmentFetch } from './environment-fetch.ts'
export * from './errors.ts'
export type { CallOptions, ClientOptions, Limits, Result } from './options.ts'
export { items, pages } from './paging.ts'
