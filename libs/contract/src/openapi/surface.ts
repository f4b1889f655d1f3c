/** How people reach an operation: the command of `svc`, and the page of the console. What is not said here follows from its schemas. */

/** Why people do not reach it there. */
export interface NoSurface {
  readonly reason: string
}

/** Where people read better words than those of the field. */
export interface OptionSurface {
  readonly name?: string
  readonly help?: string
  /** What `svc` sends by default. */
  readonly default?: string
  /** The word for null. */
  readonly none?: string
}

export interface CommandSurface {
  /** As it is typed after `svc`: `products create`. */
  readonly name: string
  /** It does more than pass fields on: `apps/cli/src/commands` has a file for it, and its help. */
  readonly own?: true
  /** A sentence; by default the operation's summary. */
  readonly help?: string
  /** What its path parameters are, where no answer has the id: `user_…`. */
  readonly ids?: Readonly<Record<string, string>>
  /** Fields of the body that are given by position, after the path's parameters. */
  readonly positional?: readonly string[]
  /** By the path of a field. */
  readonly options?: Readonly<Record<string, OptionSurface>>
  /** Lines without the `svc` before each. A test runs them. */
  readonly examples?: readonly string[]
  /** Columns of what it lists, by default all plain fields: a field, or `name: <JMESPath expression>`. */
  readonly columns?: readonly string[]
  /** Said after a success without a body; `{id}` is its id. */
  readonly done?: string
}

/**
 * The option of `svc` for a field, without its dashes: `package-version` for `package_version_id`.
 *
 * @param field of the query or the body, by its path: `customer.display_name`
 */
export const optionName = (field: string, { options = {} }: CommandSurface): string =>
  options[field]?.name ??
  field
    .replace(/^.*\./, '')
    .replace(/_(id|seconds)$/, '')
    .replaceAll('_', '-')

export interface Surface {
  readonly command: string | CommandSurface | NoSurface
  /** A path below the workspace's root; `~` begins a path of the site. */
  readonly page: string | NoSurface
}
