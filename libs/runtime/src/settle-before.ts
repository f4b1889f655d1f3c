/**
 * Settles as `answer` does.
 *
 * @param deadline Unix milliseconds
 * @throws the error that `late` makes, if `answer` takes longer
 */
export function settleBefore<T>(deadline: number, answer: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), deadline - Date.now())
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
