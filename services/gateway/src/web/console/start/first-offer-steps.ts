export type Step = 'package' | 'version' | 'product' | 'offer'

export interface Found {
  readonly package?: { readonly id: string; readonly name: string } | undefined
  readonly version?: { readonly id: string; readonly version: string } | undefined
  readonly product?: { readonly id: string; readonly name: string } | undefined
  readonly offer?: { readonly id: string } | undefined
}
