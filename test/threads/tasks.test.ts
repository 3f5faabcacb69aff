import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadTask, threadTasks } from '../../src/threads/tasks.ts'

test('Every task is loaded by its own name.', async () => {
  const names = Object.keys(threadTasks)
  const tasks = await Promise.all(names.map((name) => loadTask(name)))
  expect(tasks.map(({ name }) => name)).toEqual(names)
})

test('Every task that the sources declare can be loaded.', () => {
  const declared: string[] = []
  for (const path of new Bun.Glob('**/*.ts').scanSync({ cwd: join(import.meta.dir, '../../src') })) {
    const text = readFileSync(join(import.meta.dir, '../../src', path), 'utf8')
    for (const [, name] of text.matchAll(/^export const \w+: HeavyTask<[^=]*=\s+\{\s+name: '(\w+)'/gm))
      declared.push(name!)
  }
  expect(declared.sort()).toEqual(Object.keys(threadTasks).sort())
})

test('A name that no task has is refused.', () => {
  expect(() => loadTask('unknown')).toThrow('There is no task unknown.')
})
