import type { ConsolePages } from '../shell/scene.ts'
import { HomePage } from './home-view.tsx'
import { readHome } from './read-home.ts'

export function homePages({ get }: ConsolePages) {
  get('', async scene => scene.show(<HomePage scene={scene} home={await readHome(scene)} />))
}
