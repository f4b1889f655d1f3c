import { spawn } from 'node:child_process'

/**
 * Opens a URL with the desktop's browser, or with the program in BROWSER. Resolves to whether that was possible.
 */
export function openBrowser(address: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  // The URL is the server's: only web addresses are passed to the desktop, never to a shell.
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(address)) return Promise.resolve(false)
  const [command, ...args] = opener(env)
  return new Promise(resolve => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}

function opener({ BROWSER }: NodeJS.ProcessEnv): [string, ...string[]] {
  if (BROWSER) return [BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
