/**
 * `text` with new lines in its section `name`, between the lines `# <name>: npm run generate` and `# end of
 * <name>`.
 */
export function withSection(text, name, lines) {
  const section = new RegExp(`(\\n *# ${name}: npm run generate\\n)[^]*?( *# end of ${name}\\n)`)
  if (!section.test(text)) throw new Error(`There is no section "${name}".`)
  return text.replace(section, (_, head, tail) => head + lines.map(line => `${line}\n`).join('') + tail)
}
