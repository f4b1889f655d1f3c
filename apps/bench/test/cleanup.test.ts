import { expect, test } from 'vitest'
import { createCleanup } from '../src/cleanup.ts'

test('everything is undone once, in reverse order, except what was forgotten', async () => {
  const undone: string[] = []
  const cleanup = createCleanup()
  cleanup.add(() => undone.push('first'))
  const forget = cleanup.add(() => undone.push('forgotten'))
  await cleanup.own(
    async () => 'second',
    name => undone.push(name),
  )
  forget()
  await Promise.all([cleanup.run(), cleanup.run()])
  expect(undone).toEqual(['second', 'first'])
})

test('an undo that fails does not keep the others from running', async () => {
  const undone: string[] = []
  const cleanup = createCleanup()
  cleanup.add(() => undone.push('first'))
  cleanup.add(() => Promise.reject(new Error('a failure that a test wants')))
  await cleanup.run()
  expect(undone).toEqual(['first'])
})

test('ending in the middle of a start undoes what was being started, and starts nothing more', async () => {
  const undone: string[] = []
  const cleanup = createCleanup()
  let finish: (name: string) => void = () => {}
  const started = new Promise<string>(resolve => {
    finish = resolve
  })
  const owned = cleanup.own(
    () => started,
    name => undone.push(name),
  )
  const ended = cleanup.run()
  await expect(
    cleanup.own(
      async () => 'late',
      name => undone.push(name),
    ),
  ).rejects.toThrow('being stopped')
  finish('slow')
  await owned
  await ended
  expect(undone).toEqual(['slow'])
})
