/** Removes the notice from the URL, so that a stored or reloaded URL does not repeat it. */
export function forgetNotice() {
  const url = new URL(location.href)
  if (!url.searchParams.has('notice')) return
  url.searchParams.delete('notice')
  history.replaceState(history.state, '', url)
}
