import { seedDemo } from './seed-demo.ts'
import { start } from './start.ts'

process.exit(await start({ seedDemo }))
