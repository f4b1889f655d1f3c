/** On the page of an order: what was typed for it is no longer needed; what was typed after it, for another one, is. */
export function dropDraft() {
  const { order, draft = '' } = document.querySelector<HTMLElement>('[data-draft]')?.dataset ?? {}
  try {
    const kept = sessionStorage.getItem(draft)
    if (kept && JSON.parse(kept).latest !== order) sessionStorage.removeItem(draft)
  } catch {
    // Storage is forbidden: then there is no draft.
  }
}
