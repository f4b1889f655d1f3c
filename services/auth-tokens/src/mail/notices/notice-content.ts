import { customerContent } from './customer-content.ts'
import type { ContentOf, NoticeContent, NoticeFacts, NoticeKind, NoticeNames } from './notice.ts'
import { ownContent } from './own-content.ts'
import { sellerContent } from './seller-content.ts'
import { subscriptionContent } from './subscription-content.ts'

const contents = {
  ...sellerContent,
  ...customerContent,
  ...subscriptionContent,
  ...ownContent,
} satisfies ContentOf<NoticeKind>

export const noticeContent = (kind: NoticeKind, facts: NoticeFacts, names: NoticeNames): NoticeContent =>
  contents[kind](facts, names)
