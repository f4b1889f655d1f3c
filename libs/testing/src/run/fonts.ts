// Fonts for the tests' browser. Without a font Chromium's pages crash, and with other fonts than its own they differ.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where Linux distributions keep fonts. */
export const systemFonts = ['/usr/share/fonts', '/usr/local/share/fonts']

/**
 * Makes `folder`, where fonts lie, a folder for FONTCONFIG_PATH that finds them wherever it is: the configuration that
 * comes with the package names folders of its own.
 *
 * @throws Error when there is no font in any of the folders
 */
export async function configureFonts(folder: string, others: readonly string[] = systemFonts): Promise<void> {
  const folders = [folder, ...others]
  const found = await Promise.all(folders.map(hasFont))
  if (!found.includes(true)) {
    throw new Error(
      `The browser finds no font (looked in ${folders.join(', ')}), and its pages would crash. Run "npm ci" again in libs/testing/chromium, ` +
        'as @sparticuz/chromium brings fonts, or install some: apt-get install fonts-dejavu-core.',
    )
  }
  const dirs = folders.map(path => `  <dir>${escapeXml(path)}</dir>`)
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${dirs.join('\n')}
  <cachedir>${escapeXml(join(folder, 'cache'))}</cachedir>
</fontconfig>
`,
  )
}

async function hasFont(folder: string): Promise<boolean> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.some(name => /\.(ttf|otf|ttc|woff2?|pf[ab])$/i.test(name))
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
