/** `list_api_tokens` of the contract is `client.tokens.list`: the noun in the plural and in camel case, then the verb. */

type Plural<Noun extends string> = Noun extends `${string}s`
  ? Noun
  : Noun extends `${infer Stem}y`
    ? `${Stem}ies`
    : `${Noun}s`

type Camel<Words extends string> = Words extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Words

/** The verb in the operation's name, `<verb>_<noun>`. */
export type VerbOf<Name extends string> = Name extends `${infer Verb}_${string}` ? Verb : never

/** There are no other tokens here, so `api_` is left out. */
export type GroupOf<Name extends string> = Name extends `${string}_${infer Noun}`
  ? Camel<Plural<Noun extends `api_${infer Rest}` ? Rest : Noun>>
  : never

/** What {@link GroupOf} and {@link VerbOf} say, where the program runs. */
export function shortName(name: string): { group: string; verb: string } {
  const [, verb = '', noun = ''] = /^([a-z]+)_(?:api_)?(\w+)$/.exec(name) ?? []
  const group = plural(noun).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return { group, verb }
}

function plural(noun: string): string {
  if (noun.endsWith('s')) return noun
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
