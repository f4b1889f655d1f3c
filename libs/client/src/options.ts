/** What a client and its calls are given, and what they answer. */
/** What one call may take. A call ends with the last failure once one of them is used up. */
export interface Limits {
  /** Attempts at most; 5 unless given, 1 for none but the first. */
  readonly attempts?: number
  /** Milliseconds for the call with all its attempts and the waiting between them; 30,000 unless given. */
  readonly timeoutMs?: number
  /** Milliseconds for one attempt; 10,000 unless given. The API itself gives up after 5,000. */
  readonly attemptTimeoutMs?: number
}

export interface ClientOptions extends Limits {
  /** The versioned root, e.g. `https://api.example.com/v1`. */
  readonly baseUrl: string
  /**
   * Session token, workspace API token or JWT; a function is asked before every attempt. Without it only what is open to
   * everybody answers with success.
   */
  readonly token?: string | (() => string | Promise<string>)
  /** The workspace to act in (`Svc-Context`); not needed with a workspace API token. */
  readonly workspace?: string
  /** `environmentFetch` unless given. */
  readonly fetch?: typeof fetch
  /** Time and chance, for tests. */
  readonly clock?: Clock
}

/** For one call; limits that are given here win over those of the client. */
export interface CallOptions extends Limits {
  /** Ends the call at once, wherever it is; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

export interface Result<T> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** Resolves after `ms`, or rejects with the signal's reason. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}
