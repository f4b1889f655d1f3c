// A separate file in old syntax: the versions that it refuses have to parse it.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `svc needs Node.js 20.19 or newer; this is ${process.versions.node} (${process.execPath}). ` +
      'Install a newer one from https://nodejs.org.',
  )
  process.exit(1)
}
