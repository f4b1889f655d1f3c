/** The answer of `find_names`, from rows of a statement. */
export const namesReply = (rows: readonly { readonly id: string; readonly name: string }[]) => ({
  body: { names: Object.fromEntries(rows.map(({ id, name }) => [id, name])) },
})
