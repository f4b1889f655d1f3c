/** A notice says what was just done: an address that is kept or opened anew says it no more. */
export function forgetNotice() {
  const url = new URL(location.href)
  if (!url.searchParams.has('notice')) return
  url.searchParams.delete('notice')
  history.replaceState(history.state, '', url)
}
