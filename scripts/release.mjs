// `npm run release -- COMMAND`, in the root folder: the version and CHANGELOG.md. docs/running/release.md says how a release is made.
//
//   version        what a build of this checkout is called: 0.2.0 where the tag v0.2.0 is, otherwise 0.2.0-dev.g1a2b3c4
//   check [TAG]    whether all files agree on the version and CHANGELOG.md is in form; of a tag, whether it may be released
//   notes          what CHANGELOG.md says about the version
//   cut [DATE]     makes the section Unreleased of CHANGELOG.md that of the version
//   next VERSION   writes the version of the next release
//
// The version is in the root package.json: that of the tag where the commit has one, and otherwise that of the next release.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from 'keep-a-changelog'

const commands = {
  version() {
    if (git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) return version
    const commit = git('rev-parse', '--short=7', 'HEAD')
    return commit ? `${version}-dev.g${commit}` : `${version}-dev`
  },

  check(tag) {
    for (const { path, stated } of repeating()) {
      const other = stated().find(one => one !== version)
      if (other)
        fail(`${path} says ${other}, and package.json ${version}: npm run release -- next ${version}`)
    }
    const released = sectionIn(readChangelog())
    if (tag && tag !== `v${version}`) fail(`The tag is ${tag}, and the version ${version}.`)
    if (tag && !released) fail(`CHANGELOG.md has no section for ${version}: npm run release -- cut`)
    return version
  },

  notes() {
    if (!sectionIn(readChangelog())) fail(`CHANGELOG.md has no section for ${version}.`)
    const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
    const section = sections.find(one => one.startsWith(`[${version}]`))
    return section.slice(section.indexOf('\n')).trim()
  },

  cut(date = new Date().toISOString().slice(0, 10)) {
    const changelog = readChangelog()
    if (sectionIn(changelog)) fail(`CHANGELOG.md has a section for ${version} already.`)
    if (changelog.releases[0].isEmpty()) fail('CHANGELOG.md has nothing under Unreleased.')
    const heading = '## [Unreleased]\n'
    const text = readFileSync('CHANGELOG.md', 'utf8')
    writeFileSync('CHANGELOG.md', text.replace(heading, `${heading}\n## [${version}] - ${date}\n`))
    return `CHANGELOG.md has a section for ${version}. Commit it and tag the commit v${version}.`
  },

  next(wanted = '') {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted)) fail(`"${wanted}" is not a version such as 1.2.3.`)
    for (const { write } of repeating()) write(wanted)
    return `All files say ${wanted}.`
  },
}

const { version, workspaces } = JSON.parse(readFileSync('package.json', 'utf8'))
const [command, ...args] = process.argv.slice(2)
try {
  const run = commands[command] ?? fail(`usage: npm run release -- ${Object.keys(commands).join(' | ')}`)
  console.log(run(...args))
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

/** The files that state the version, with functions to read and to change it. */
function repeating() {
  const folders = workspaces.flatMap(workspace => {
    const parent = workspace.replace(/\/\*$/, '')
    return readdirSync(parent).map(name => `${parent}/${name}`)
  })
  const packages = folders.filter(folder => existsSync(join(folder, 'package.json')))
  const overlays = readdirSync('deploy/kubernetes/overlays')
  return [
    ...['.', ...packages].map(folder => inJson(join(folder, 'package.json'), content => [content])),
    // The versions of other people's packages are below node_modules.
    inJson('package-lock.json', lock => [lock, ...['', ...packages].map(folder => lock.packages[folder])]),
    ...overlays.map(name =>
      inText(`deploy/kubernetes/overlays/${name}/kustomization.yaml`, /(\btag=)([\w.+-]+)/g),
    ),
    inText('docs/running/kubernetes.md', /(svc-\$s:)([\w.+-]+)/g),
  ]
}

function inJson(path, holders) {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  return {
    path,
    stated: () => holders(content).map(holder => holder.version),
    write(wanted) {
      for (const holder of holders(content)) holder.version = wanted
      writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
    },
  }
}

function inText(path, pattern) {
  const text = readFileSync(path, 'utf8')
  return {
    path,
    stated: () => [...text.matchAll(pattern)].map(([, , stated]) => stated),
    write: wanted =>
      writeFileSync(
        path,
        text.replace(pattern, (_, before) => before + wanted),
      ),
  }
}

function readChangelog() {
  const changelog = parsed(readFileSync('CHANGELOG.md', 'utf8'))
  const [first] = changelog.releases
  if (!first || first.version) fail('CHANGELOG.md does not begin with the section Unreleased.')
  return changelog
}

function parsed(text) {
  try {
    return parser(text, { autoSortReleases: false })
  } catch (error) {
    return fail(`CHANGELOG.md is not in the form of Keep a Changelog: ${error.message}`)
  }
}

function sectionIn(changelog) {
  return changelog.releases.find(one => one.version === version)
}

/** Git's output, or nothing without a repository, as in the build of an image. */
function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

function fail(message) {
  throw new Error(message)
}
