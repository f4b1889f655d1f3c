/** The public edge of the package. */
export {
  type Arguments,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Limits,
  type Result,
} from './client.ts'
export {
  changeComputeSettings,
  type ChangeOptions,
  type ComputeSettings,
  type ComputeSettingsChange,
} from './compute-settings.ts'
export * from './errors.ts'
export { items, pages } from './paging.ts'
