const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

let throughProxies: Promise<typeof fetch> | undefined

/**
 * `fetch` through the proxy that `HTTPS_PROXY` or `HTTP_PROXY` names, except to hosts in `NO_PROXY`, which are read at the first
 * request. Without such a variable, and in browsers, it is the platform's own.
 *
 * @throws ProxyError where the proxy is the reason
 */
export const environmentFetch: typeof fetch = async (...request) => {
  const env = globalThis.process?.env
  if (!names.some(name => env?.[name])) return globalThis.fetch(...request)
  throughProxies ??= import('#proxy-fetch').then(({ proxyFetch }) => proxyFetch(env))
  return (await throughProxies)(...request)
}
