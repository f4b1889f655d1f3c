import { startCopying } from './copy.ts'
import { showLocalTimes } from './times.ts'

showLocalTimes()
startCopying()
