/** Keeps cookies between requests, without a browser's checks. */
export class Jar {
  readonly cookies = new Map<string, string>()
  setCookies: string[] = []

  async ask(
    path: string,
    { form, headers = {} }: { form?: Record<string, string> | string; headers?: object } = {},
  ) {
    const response = await fetch(path, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...(this.cookies.size && { cookie: [...this.cookies].map(pair => pair.join('=')).join('; ') }),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: typeof form === 'object' ? String(new URLSearchParams(form)) : form,
    })
    this.setCookies = response.headers.getSetCookie()
    for (const line of this.setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, csrf: csrfIn(text) }
  }
}

const csrfIn = (text: string): string => /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
