import { startCopying } from './copy.ts'
import { dropDraft } from './drop-draft.ts'
import { showLocalTimes } from './times.ts'

showLocalTimes()
startCopying()
dropDraft()
