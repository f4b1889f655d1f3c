/** `<service>.<operation>` of a subject; what may follow, such as the cluster of an agent, names no operation. */
export function operationOf(subject: string): string {
  const begin = subject.indexOf('.') + 1
  const end = subject.indexOf('.', subject.indexOf('.', begin) + 1)
  return end < 0 ? subject.slice(begin) : subject.slice(begin, end)
}
