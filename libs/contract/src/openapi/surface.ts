/**
 * How people reach an operation: the command of `svc`, and the page of the console. The rest follows from its
 * schemas.
 */

export interface NoSurface {
  readonly reason: string
}

export interface OptionSurface {
  readonly name?: string
  readonly help?: string
  readonly default?: string
  readonly none?: string
}

export interface CommandSurface {
  readonly name: string
  /** The command does more than pass fields on: its code and help are in `apps/cli/src/commands`. */
  readonly own?: true
  readonly help?: string
  /** Descriptions of path parameters whose ids no answer contains: `user_…`. */
  readonly ids?: Readonly<Record<string, string>>
  readonly positional?: readonly string[]
  readonly options?: Readonly<Record<string, OptionSurface>>
  /** Lines without the leading `svc`. A test runs them. */
  readonly examples?: readonly string[]
  /** Columns of a list, by default all plain fields: a field, or `name: <JMESPath expression>`. */
  readonly columns?: readonly string[]
  readonly done?: string
  /** What `svc` prints beside the answer, for people. */
  readonly beside?: (answer: never) => string
  /** The operation whose answer has the `etag` for `If-Match`, where the option `--etag` is not given. */
  readonly etagOf?: string
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
