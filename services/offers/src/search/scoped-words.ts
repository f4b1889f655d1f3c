/** Words in the index of offers and orders, where those of all workspaces are: each begins with the end of its workspace's id. */
import { wordsOf } from '@svc/contract/core/words'

export interface Searched {
  readonly product_id?: string | null | undefined
  readonly customer?:
    | { readonly display_name: string; readonly external_id?: string | undefined }
    | null
    | undefined
  readonly notes?: string | null | undefined
  readonly internal_note?: string | null | undefined
}

/** As `order_words` in migrations/0001_init.sql. Two workspaces with the same end: each sees its own rows alone. */
const scopeOf = (workspace: string) => workspace.slice(-8)

/** No word of a text has a quotation mark, and neither has an id. */
const lexeme = (scope: string, word: string) => `'${scope}${word}'`
const productWord = (id: string) => `#${id}`

/** The `tsvector` of an offer. With its product's id, since a product can be renamed. */
export function offerWords(workspace: string, offer: Searched): string {
  const { product_id, customer, notes, internal_note } = offer
  const words =
    customer || notes || internal_note
      ? wordsOf(customer?.display_name, customer?.external_id, notes, internal_note)
      : []
  if (product_id) words.push(productWord(product_id))
  return words.map(word => lexeme(scopeOf(workspace), word)).join(' ')
}

/** The `tsquery` of `words`, each the beginning of a word, or of a word in the name of a product. */
export function wordsQuery(
  workspace: string,
  words: readonly string[],
  productsWith: (word: string) => readonly string[],
): string {
  const scope = scopeOf(workspace)
  return words
    .map(word => {
      const products = productsWith(word).map(id => lexeme(scope, productWord(id)))
      return `(${[`${lexeme(scope, word)}:*`, ...products].join(' | ')})`
    })
    .join(' & ')
}
