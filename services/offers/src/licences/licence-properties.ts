/** The properties of an input schema that go into a licence: `"x-licence": true` in `properties` of its root. */
export const licenceProperties = ({ properties = {} }: { readonly properties?: object }): string[] =>
  Object.entries(properties).flatMap(([name, property]) => (property['x-licence'] === true ? [name] : []))
