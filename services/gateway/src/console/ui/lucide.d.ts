/** Each of these modules is one icon; the package has types for all of them together only. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const shapes: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]
  export default shapes
}
