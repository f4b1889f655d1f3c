import { dropDraft } from './drop-draft.ts'
import { showLocalTimes } from './times.ts'

showLocalTimes()
dropDraft()
