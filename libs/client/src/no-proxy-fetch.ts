/** In bundles for browsers, in place of `proxy-fetch.ts`: those ask their proxies by themselves. */
export const proxyFetch = (): typeof fetch => globalThis.fetch
