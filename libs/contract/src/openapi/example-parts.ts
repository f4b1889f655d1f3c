/**
 * `owner`: Ada, owner of the workspace Acme, with a session; `script`: an API token of Acme; `customer`: Grace,
 * owner of the workspace Globex, with a session; `invited`: Kim, with a session; `nobody`: without a credential.
 */
export type Sender = 'owner' | 'script' | 'customer' | 'invited' | 'nobody'

export interface ExampleRequest {
  readonly params?: Record<string, string>
  readonly query?: Record<string, unknown>
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export interface ExampleAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}
